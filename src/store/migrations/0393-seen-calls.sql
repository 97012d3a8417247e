-- Extensions that were part of a call beside those that its record names: who was rung, or had it for a while. So nobody
-- has to look through the legs of a year for the calls that somebody may see.
create table call_others (
  call_id bigint not null references cdrs on delete cascade,
  exchange_id bigint not null,
  extension text not null,
  start_stamp timestamptz not null,
  primary key (call_id, extension)
);

create function other_parties(ids bigint[]) returns setof call_others language sql stable as $$
  select distinct cdrs.id, cdrs.exchange_id, leg.destination_number, cdrs.start_stamp
  from unnest(ids) as wanted (id) join cdrs using (id) join cdr_legs as leg on leg.call_uuid = cdrs.call_uuid
  join extensions on extensions.exchange_id = cdrs.exchange_id and extensions.number = leg.destination_number
  where leg.destination_number not in (cdrs.connected_user, cdrs.dialed_user)
    and (cdrs.direction = 'inbound' or leg.destination_number <> cdrs.caller_id_number)
$$;

insert into call_others
  select distinct cdrs.id, cdrs.exchange_id, leg.destination_number, cdrs.start_stamp
  from cdrs join cdr_legs as leg on leg.call_uuid = cdrs.call_uuid
  join extensions on extensions.exchange_id = cdrs.exchange_id and extensions.number = leg.destination_number
  where leg.destination_number not in (cdrs.connected_user, cdrs.dialed_user)
    and (cdrs.direction = 'inbound' or leg.destination_number <> cdrs.caller_id_number);
create index call_others_newest_first on call_others (exchange_id, extension, start_stamp desc, call_id desc);
drop index cdr_legs_by_destination;

create function add_call_others() returns trigger language plpgsql as $$
begin
  insert into call_others select * from other_parties(array(select id from added));
  return null;
end $$;
create trigger cdrs_others_added after insert on cdrs
  referencing new table as added for each statement execute function add_call_others();

create function change_call_others() returns trigger language plpgsql as $$
begin
  delete from call_others where call_id = new.id;
  insert into call_others select * from other_parties(array[new.id]);
  return null;
end $$;
create trigger cdrs_others_changed after update of exchange_id, direction, start_stamp, caller_id_number, dialed_user, connected_user
  on cdrs for each row when (old.* is distinct from new.*) execute function change_call_others();
alter table cdrs enable always trigger cdrs_others_added;
alter table cdrs enable always trigger cdrs_others_changed;

-- What calls add up to for somebody who sees some of them: by days and hours of the exchange, as `call_sums` has them for
-- who sees everything. Made when they are first asked for, and good as long as a day's own sums are what they were then.
create table seen_sums (
  exchange_id bigint not null references exchanges on delete cascade,
  -- Which queues and extensions, and what of the sums.
  seen text not null,
  span text not null check (span in ('hour', 'day')),
  of text not null,
  at timestamptz not null,
  which text not null,
  calls integer not null,
  answered integer not null,
  missed integer not null,
  talk_seconds bigint not null,
  primary key (exchange_id, seen, span, of, at, which)
);
create table seen_days (
  exchange_id bigint not null references exchanges on delete cascade,
  seen text not null,
  at timestamptz not null,
  -- Of the day's own sums.
  told text not null,
  primary key (exchange_id, seen, at)
);

-- A record that is changed may leave the sums of its day as they were.
create function forget_seen_days(exchange bigint, moment timestamptz) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(call_sums_lock(exchange));
  delete from seen_days where exchange_id = exchange and at > moment - interval '26 hours' and at <= moment;
end $$;
create function forget_changed_day() returns trigger language plpgsql as $$
begin
  perform forget_seen_days(exchange_id, start_stamp)
    from (values (old.exchange_id, old.start_stamp), (new.exchange_id, new.start_stamp)) as call (exchange_id, start_stamp)
    order by exchange_id, start_stamp;
  return null;
end $$;
create trigger cdrs_seen_changed after update of exchange_id, direction, origin, start_stamp, answer_stamp, end_stamp,
    caller_id_number, outbound_caller_id_number, destination_number, dialed_user, connected_user, talk_seconds, queue,
    queue_wait_seconds, missed, listening
  on cdrs for each row when (old.* is distinct from new.*) execute function forget_changed_day();
alter table cdrs enable always trigger cdrs_seen_changed;

create function forget_days_of_zone() returns trigger language plpgsql as $$
begin
  delete from seen_days where exchange_id = new.id;
  delete from seen_sums where exchange_id = new.id;
  return null;
end $$;
create trigger exchanges_seen_zone after update of time_zone on exchanges
  for each row when (old.time_zone is distinct from new.time_zone) execute function forget_days_of_zone();
