-- How long callers waited, as heaps: so many calls of an hour, a day or a month waited so many seconds. Kept with the
-- records as `call_sums` is. Of a month each hour of the day has heaps of its own, so that a year by the hour is short.
create table wait_sums (
  exchange_id bigint not null references exchanges on delete cascade,
  span text not null check (span in ('hour', 'day', 'month')),
  direction text not null,
  -- Empty: of all calls of that direction.
  queue text not null,
  at timestamptz not null,
  -- Of the day at the exchange; -1 where a day is one heap.
  hour smallint not null,
  taken boolean not null,
  waited integer not null,
  calls integer not null,
  primary key (exchange_id, span, direction, queue, at, hour, taken, waited)
);

-- Days, by UTC, whose heaps are still to be made: reports about them read the records.
create table wait_sums_owed (
  exchange_id bigint not null references exchanges on delete cascade,
  day date not null,
  primary key (exchange_id, day)
);

create function owe_waits(exchange bigint) returns void language sql as $$
  insert into wait_sums_owed (exchange_id, day)
    select exchange, generate_series(
      (select start_stamp from cdrs where exchange_id = exchange order by start_stamp limit 1) at time zone 'UTC',
      (select start_stamp from cdrs where exchange_id = exchange order by start_stamp desc limit 1) at time zone 'UTC'
        + interval '1 day', interval '1 day')::date
  on conflict do nothing
$$;
select owe_waits(id) from exchanges;

-- Of calls that a person took or that were missed, by hours. What taken and waited mean: TAKEN and WAITED of cdrs.ts.
create function hour_waits(ids bigint[]) returns setof wait_sums language sql stable as $$
  select call.exchange_id, 'hour', call.direction, part.queue, date_trunc('hour', call.start_stamp, call.zone) as at,
    date_part('hour', call.start_stamp at time zone call.zone)::smallint, call.taken,
    greatest(0, floor(date_part('epoch', coalesce(call.answer_stamp, call.end_stamp) - call.start_stamp) + 0.5)::integer) as waited,
    count(*)::integer
  from (
    select cdrs.*, exchanges.time_zone as zone, cdrs.answer_stamp is not null and (cdrs.connected_user <> '' or
      (select count(*) from cdr_legs where cdr_legs.call_uuid = cdrs.call_uuid and cdr_legs.answer_stamp is not null) > 1)
      as taken
    from unnest(ids) as wanted (id) join cdrs using (id) join exchanges on exchanges.id = cdrs.exchange_id
    where not cdrs.listening and cdrs.direction <> 'outbound' offset 0) as call
  cross join lateral (select '' as queue union all select call.queue where call.queue <> '') as part
  where call.taken or call.missed
  group by 1, 3, 4, 5, 6, 7, 8
$$;

-- What heaps of hours are in days and months.
create function longer_waits(hours wait_sums[]) returns setof wait_sums language sql stable as $$
  select w.exchange_id, longer.span, w.direction, w.queue, longer.at, longer.hour, w.taken, w.waited, sum(w.calls)::integer
  from unnest(hours) as w join exchanges on exchanges.id = w.exchange_id
  cross join lateral (values ('day', date_trunc('day', w.at, exchanges.time_zone), -1::smallint),
    ('month', date_trunc('month', w.at, exchanges.time_zone), w.hour)) as longer (span, at, hour)
  group by 1, 2, 3, 4, 5, 6, 7, 8
$$;

create function add_waits(heaps wait_sums[]) returns void language plpgsql as $$
begin
  insert into wait_sums select * from unnest(heaps) as heap where heap.calls <> 0
    order by exchange_id, span, direction, queue, at, hour, taken, waited
  on conflict (exchange_id, span, direction, queue, at, hour, taken, waited)
    do update set calls = wait_sums.calls + excluded.calls;
  if exists (select from unnest(heaps) as heap where heap.calls < 0) then
    delete from wait_sums using unnest(heaps) as gone
    where gone.calls < 0 and wait_sums.calls = 0 and wait_sums.exchange_id = gone.exchange_id
      and wait_sums.span = gone.span and wait_sums.direction = gone.direction and wait_sums.queue = gone.queue
      and wait_sums.at = gone.at and wait_sums.hour = gone.hour and wait_sums.taken = gone.taken
      and wait_sums.waited = gone.waited;
  end if;
end $$;

create function add_wait_sums() returns trigger language plpgsql as $$
declare
  hours wait_sums[];
begin
  perform pg_advisory_xact_lock_shared(call_sums_lock(exchange_id))
    from (select distinct exchange_id from added order by exchange_id) as exchange;
  hours := array(select w::wait_sums from hour_waits(array(select id from added)) as w);
  perform add_waits(hours || array(select w::wait_sums from longer_waits(hours) as w));
  return null;
end $$;
create trigger cdrs_waits_added after insert on cdrs
  referencing new table as added for each statement execute function add_wait_sums();
alter table cdrs enable always trigger cdrs_waits_added;

-- The hours between two moments made anew from the records; their days and months change by the difference.
create function recount_waits(exchange bigint, first_moment timestamptz, end_moment timestamptz) returns void
language plpgsql as $$
declare
  zone text := (select time_zone from exchanges where id = exchange);
  first_hour timestamptz := date_trunc('hour', first_moment, zone);
  end_hour timestamptz := date_trunc('hour', end_moment - interval '1 microsecond', zone) + interval '1 hour';
  former wait_sums[];
  hours wait_sums[];
begin
  perform pg_advisory_xact_lock(call_sums_lock(exchange));
  former := array(select w from wait_sums as w
    where exchange_id = exchange and span = 'hour' and at >= first_hour and at < end_hour);
  hours := array(select w::wait_sums from hour_waits(array(select id from cdrs
    where exchange_id = exchange and start_stamp >= first_hour and start_stamp < end_hour)) as w);
  delete from wait_sums where exchange_id = exchange and span = 'hour' and at >= first_hour and at < end_hour;
  insert into wait_sums select * from unnest(hours);
  perform add_waits(array(
    select row(exchange_id, span, direction, queue, at, hour, taken, waited, sum(calls)::integer)::wait_sums
    from (select * from longer_waits(hours) union all
      select exchange_id, span, direction, queue, at, hour, taken, waited, -calls from longer_waits(former)) as changed
    group by exchange_id, span, direction, queue, at, hour, taken, waited having sum(calls) <> 0));
end $$;

-- Days and months that begin between two moments, out of their hours.
create function recount_longer_waits(exchange bigint, first_moment timestamptz, end_moment timestamptz) returns void
language plpgsql as $$
begin
  delete from wait_sums where exchange_id = exchange and span in ('day', 'month')
    and at >= first_moment and at < end_moment;
  insert into wait_sums select * from longer_waits(array(select w from wait_sums as w where exchange_id = exchange
      and span = 'hour' and at >= first_moment and at < end_moment + interval '32 days'))
    where at >= first_moment and at < end_moment;
end $$;

create or replace function recount_gone_calls() returns trigger language plpgsql as $$
begin
  -- With the exchange itself go its sums.
  perform recount_calls(exchange_id, quarter, quarter + interval '15 minutes'),
      recount_waits(exchange_id, quarter, quarter + interval '15 minutes')
    from (select distinct exchange_id, date_bin('15 minutes', start_stamp, timestamptz '2000-01-01 00:00+00') as quarter
      from gone where exists (select from exchanges where exchanges.id = gone.exchange_id) order by 1, 2) as changed;
  return null;
end $$;

create or replace function recount_changed_call() returns trigger language plpgsql as $$
begin
  perform recount_calls(exchange_id, start_stamp, start_stamp + interval '1 microsecond'),
      recount_waits(exchange_id, start_stamp, start_stamp + interval '1 microsecond')
    from (values (old.exchange_id, old.start_stamp), (new.exchange_id, new.start_stamp)) as call (exchange_id, start_stamp)
    order by exchange_id, start_stamp;
  return null;
end $$;

-- How long somebody waited whom nobody took depends on when the call ended.
drop trigger cdrs_sums_changed on cdrs;
create trigger cdrs_sums_changed after update of exchange_id, direction, origin, start_stamp, answer_stamp, end_stamp,
    caller_id_number, outbound_caller_id_number, destination_number, dialed_user, connected_user, talk_seconds, queue,
    queue_wait_seconds, missed, listening
  on cdrs for each row when (old.* is distinct from new.*) execute function recount_changed_call();
alter table cdrs enable always trigger cdrs_sums_changed;

-- Hours of one zone need not be those of another: they are counted again in the background.
create or replace function recount_days_of_zone() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(call_sums_lock(new.id));
  delete from call_sums where exchange_id = new.id and span in ('hour', 'day');
  perform recount_days(new.id, min(at), max(at) + interval '15 minutes')
    from call_sums where exchange_id = new.id and span = 'quarter' having count(*) > 0;
  delete from wait_sums where exchange_id = new.id;
  perform owe_waits(new.id);
  return null;
end $$;
