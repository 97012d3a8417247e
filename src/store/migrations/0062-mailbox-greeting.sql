-- A greeting that its owner spoke into the phone; it goes before a sound file and before a sentence.
alter table mailboxes add column greeting_object_key text;
