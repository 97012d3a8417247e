-- How often in a row a mailbox heard a wrong PIN, and until when it hears none for that.
alter table mailboxes add column wrong_pins integer not null default 0;
alter table mailboxes add column pins_closed_until timestamptz;
