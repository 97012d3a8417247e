-- What agents write about calls, what they are asked for, and what their desks are set to.
alter table queues
  add column dispositions text[] not null default '{}',
  add column disposition_required boolean not null default false;

alter table exchanges
  add column breaks text[] not null default '{Kahve,Yemek,Toplantı,Eğitim}',
  add column call_tags text[] not null default '{}',
  add column screen_pop text,
  add column screen_pop_in text not null default 'tab' check (screen_pop_in in ('tab', 'frame')),
  add column crm_notes boolean not null default false;

-- A row for each agent who wrote something about a call or owes a disposition. It may be there before the call's record.
create table call_notes (
  exchange_id bigint not null references exchanges on delete cascade,
  call_uuid uuid not null,
  extension text not null,
  -- The queue that brought it, and the other side as `cdrs.peer` has it.
  queue text,
  peer text not null default '',
  at timestamptz not null,
  note text not null default '',
  tags text[] not null default '{}',
  disposition text,
  -- Somebody still has to do something about it.
  is_open boolean not null default false,
  -- The queue wanted a disposition when he took the call.
  owes_disposition boolean not null default false,
  changed_at timestamptz,
  changed_by text,
  primary key (exchange_id, call_uuid, extension)
);
create index call_notes_newest_first on call_notes (exchange_id, at desc);
create index call_notes_open on call_notes (exchange_id, peer, at desc) where is_open;
create index call_notes_owed on call_notes (exchange_id, extension) where owes_disposition and disposition is null;

-- They go with the record of their call.
create function forget_call_notes() returns trigger language plpgsql as $$
begin
  delete from call_notes using gone
  where call_notes.exchange_id = gone.exchange_id and call_notes.call_uuid = gone.call_uuid;
  return null;
end $$;
create trigger cdrs_forget_notes after delete on cdrs
  referencing old table as gone for each statement execute function forget_call_notes();

-- Whoever hands out waiting callers knows who owes a disposition.
create function tell_of_dispositions() returns trigger language plpgsql as $$
begin
  perform pg_notify('queues', changed.exchange_id::text)
  from (select distinct exchange_id from changed_rows where owes_disposition) as changed;
  return null;
end $$;
create trigger call_notes_added after insert on call_notes
  referencing new table as changed_rows for each statement execute function tell_of_dispositions();
create trigger call_notes_changed after update on call_notes
  referencing new table as changed_rows for each statement execute function tell_of_dispositions();
create trigger call_notes_removed after delete on call_notes
  referencing old table as changed_rows for each statement execute function tell_of_dispositions();

-- Callers whom nobody took: who calls one back, and for how long he has him; and who was settled otherwise.
create table missed_callers (
  exchange_id bigint not null references exchanges on delete cascade,
  peer text not null,
  extension text,
  leased_until timestamptz,
  settled_at timestamptz,
  settled_by text,
  primary key (exchange_id, peer),
  check ((extension is null) = (leased_until is null))
);

-- The calls that there were with somebody, at once, however many there are.
create index cdrs_by_peer on cdrs (exchange_id, peer, start_stamp desc) where peer <> '';
