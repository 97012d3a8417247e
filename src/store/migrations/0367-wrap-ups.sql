-- How long agents wrote their notes after a call of a queue. One row a call and agent, written when he is done.
create table agent_wrap_ups (
  exchange_id bigint not null references exchanges on delete cascade,
  call_uuid uuid not null,
  extension text not null,
  began_at timestamptz not null,
  seconds integer not null check (seconds >= 0),
  primary key (exchange_id, call_uuid, extension)
);
create index agent_wrap_ups_by_time on agent_wrap_ups (exchange_id, began_at) include (extension, seconds);
