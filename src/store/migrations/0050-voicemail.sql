-- An extension's mailbox. Without a row it has one with these defaults, switched off.
create table mailboxes (
  exchange_id bigint not null,
  extension_id bigint primary key,
  active boolean not null default true,
  greeting_announcement_id bigint,
  greeting_text text,
  greeting_language text not null default 'tr-TR',
  max_seconds integer not null default 180 check (max_seconds between 5 and 1800),
  pin text check (pin ~ '^[0-9]{4,12}$'),
  email text,
  foreign key (exchange_id, extension_id) references extensions (exchange_id, id) on delete cascade,
  foreign key (exchange_id, greeting_announcement_id) references announcements (exchange_id, id)
);

-- Whoever keeps lamps is told whose messages changed.
create function tell_voicemail() returns trigger language plpgsql as $$
begin
  perform pg_notify('voicemail', e.exchange_id || '/' || e.number)
  from (select distinct extension_id from changed_rows) as changed join extensions e on e.id = changed.extension_id;
  return null;
end $$;

create trigger voicemail_added after insert on voicemail_messages
  referencing new table as changed_rows for each statement execute function tell_voicemail();
create trigger voicemail_changed after update on voicemail_messages
  referencing new table as changed_rows for each statement execute function tell_voicemail();

create trigger mailboxes_added after insert on mailboxes
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger mailboxes_changed after update on mailboxes
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger mailboxes_removed after delete on mailboxes
  referencing old table as changed_rows for each statement execute function tell_directory();
