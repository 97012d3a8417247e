-- A ticket by which a phone fetches its own settings, once: it says whose they are, and where the phone finds the server.
alter table tickets
  drop constraint tickets_opens_check,
  add constraint tickets_opens_check check (opens in ('recording', 'voicemail', 'fax', 'phone')),
  add column extension_id bigint,
  add column details jsonb,
  add foreign key (exchange_id, extension_id) references extensions (exchange_id, id) on delete cascade;
