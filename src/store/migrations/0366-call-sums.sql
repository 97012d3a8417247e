-- How soon a queue promises to answer. One of the waits that sums tell apart, so that a new promise holds for old calls too.
alter table queues add column promised_seconds text not null default '20'
  check (promised_seconds in ('5', '10', '15', '20', '30', '45', '60', '90', '120', '180', '300'));

-- What calls add up to, for a quarter of an hour and for a day of the exchange, kept by the transaction that writes the
-- records; by their direction for an hour of the exchange as well. `of` is what is counted, `which` the one of them;
-- docs/reports.md says what each figure means.
create table call_sums (
  exchange_id bigint not null references exchanges on delete cascade,
  span text not null check (span in ('quarter', 'hour', 'day')),
  of text not null,
  at timestamptz not null,
  which text not null,
  calls integer not null,
  answered integer not null,
  missed integer not null,
  talk_seconds bigint not null,
  wait_seconds bigint not null,
  longest_wait integer not null,
  -- Of queues: how many of the answered ones waited up to 5, 10, 15, 20, 30, 45, 60, 90, 120, 180 and 300 seconds.
  within integer[],
  primary key (exchange_id, span, of, at, which)
);

-- Days whose sums are still to be made from the records that were there before: reports about them read the records.
create table call_sums_owed (
  exchange_id bigint not null references exchanges on delete cascade,
  day date not null,
  primary key (exchange_id, day)
);
insert into call_sums_owed (exchange_id, day)
  select id, generate_series(
    (select start_stamp from cdrs where exchange_id = exchanges.id order by start_stamp limit 1) at time zone 'UTC',
    (select start_stamp from cdrs where exchange_id = exchanges.id order by start_stamp desc limit 1) at time zone 'UTC'
      + interval '1 day', interval '1 day')::date
  from exchanges;

create function added_up(integer[], integer[]) returns integer[] language sql immutable strict as $$
  select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
  from unnest($1, $2) with ordinality as both_of (a, b, place)
$$;
create aggregate add_up(integer[]) (sfunc = added_up, stype = integer[]);

-- One row for each thing that a call counts for; who listened to another call made none. What is to be counted as well
-- gets a line here, and `recount_calls`.
create function call_parts(ids bigint[]) returns table (
  exchange_id bigint, began timestamptz, of text, which text, answered boolean, missed boolean, talk integer, wait integer
) language sql stable as $$
  select call.exchange_id, call.start_stamp, part.*
  from (
    select cdrs.*, cdrs.answer_stamp is not null and (cdrs.connected_user <> '' or
      (select count(*) from cdr_legs where cdr_legs.call_uuid = cdrs.call_uuid and cdr_legs.answer_stamp is not null) > 1)
      as taken
    from unnest(ids) as wanted (id) join cdrs using (id) where not cdrs.listening offset 0) as call
  cross join lateral (
    select 'direction', call.direction, call.taken, call.missed, call.talk_seconds, 0
    union all select 'queue', call.queue, call.taken, call.missed, case when call.taken then call.talk_seconds else 0 end,
      call.queue_wait_seconds where call.queue is not null
    union all select 'number', call.destination_number, call.taken, call.missed, call.talk_seconds, 0
      where call.direction = 'inbound'
    union all select 'shown-number', call.outbound_caller_id_number, call.taken, call.missed, call.talk_seconds, 0
      where call.direction = 'outbound'
    -- Answered means here that there was talk to have an average of.
    union all select 'made', call.caller_id_number, call.talk_seconds > 0, call.missed, call.talk_seconds, 0
      where call.direction <> 'inbound'
    union all select 'taken', call.connected_user, call.talk_seconds > 0, false, call.talk_seconds, 0
      where call.direction <> 'outbound' and call.connected_user <> ''
    union all select 'unanswered', call.dialed_user, false, true, 0, 0 where call.missed and call.dialed_user <> ''
    union all select 'campaign', attempt.campaign_id::text, call.taken, call.missed, call.talk_seconds, 0
      from campaign_attempts as attempt where call.origin = 'campaign' and attempt.call_uuid = call.call_uuid
    -- Whom the queue rang: let pass is what neither he nor a colleague took while the caller was still there.
    union all select 'agent', leg.destination_number, bool_or(leg.answer_stamp is not null),
      bool_and(leg.answer_stamp is null)
        and bool_or(leg.hangup_cause not in ('LOSE_RACE', 'PICKED_OFF', 'ORIGINATOR_CANCEL')),
      coalesce(sum(floor(date_part('epoch', leg.end_stamp - leg.answer_stamp) + 0.5)), 0)::integer, 0
      from cdr_legs as leg where call.queue is not null and leg.call_uuid = call.call_uuid and leg.position > 0
      group by leg.destination_number
  ) as part (of, which, answered, missed, talk, wait)
$$;

create function quarter_sums(ids bigint[]) returns setof call_sums language sql stable as $$
  select exchange_id, 'quarter', of, date_bin('15 minutes', began, timestamptz '2000-01-01 00:00+00') as at, which,
    count(*)::integer, count(*) filter (where answered)::integer, count(*) filter (where missed)::integer,
    coalesce(sum(talk), 0)::bigint, coalesce(sum(wait), 0)::bigint, coalesce(max(wait), 0)::integer,
    case when of = 'queue' then array[count(*) filter (where answered and wait <= 5), count(*) filter (where answered and wait <= 10),
      count(*) filter (where answered and wait <= 15), count(*) filter (where answered and wait <= 20),
      count(*) filter (where answered and wait <= 30), count(*) filter (where answered and wait <= 45),
      count(*) filter (where answered and wait <= 60), count(*) filter (where answered and wait <= 90),
      count(*) filter (where answered and wait <= 120), count(*) filter (where answered and wait <= 180),
      count(*) filter (where answered and wait <= 300)]::integer[] end
  from call_parts(ids) group by exchange_id, of, at, which
$$;

-- What a quarter of an hour is added to, and when that begins at the exchange.
create function longer_spans(of text, at timestamptz, zone text) returns table (span text, begins timestamptz)
language sql stable as $$
  select 'day', date_trunc('day', at, zone)
  union all select 'hour', date_trunc('hour', at, zone) where of = 'direction'
$$;

-- Who adds shares this with others who add; who counts anew is alone.
create function call_sums_lock(exchange bigint) returns bigint language sql immutable as $$
  select hashtextextended('call sums', exchange)
$$;

create function add_call_sums() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(call_sums_lock(exchange_id))
    from (select distinct exchange_id from added order by exchange_id) as exchange;
  insert into call_sums
    with quarters as materialized (select * from quarter_sums(array(select id from added)))
    select * from (
      select * from quarters
      union all select exchange_id, longer.span, of, longer.begins, which,
        sum(calls), sum(answered), sum(missed), sum(talk_seconds), sum(wait_seconds), max(longest_wait), add_up(within)
      from quarters join exchanges on exchanges.id = exchange_id
      cross join lateral longer_spans(of, at, exchanges.time_zone) as longer
      group by exchange_id, longer.span, of, longer.begins, which
    ) as sums order by 1, 2, 3, 4, 5
  on conflict (exchange_id, span, of, at, which) do update set
    calls = call_sums.calls + excluded.calls, answered = call_sums.answered + excluded.answered,
    missed = call_sums.missed + excluded.missed, talk_seconds = call_sums.talk_seconds + excluded.talk_seconds,
    wait_seconds = call_sums.wait_seconds + excluded.wait_seconds,
    longest_wait = greatest(call_sums.longest_wait, excluded.longest_wait),
    within = added_up(call_sums.within, excluded.within);
  return null;
end $$;

-- Days of the exchange, and their hours, out of their quarters.
create function recount_days(exchange bigint, first_moment timestamptz, end_moment timestamptz) returns void
language plpgsql as $$
declare
  zone text := (select time_zone from exchanges where id = exchange);
  first_day timestamptz := date_trunc('day', first_moment at time zone zone) at time zone zone;
  end_day timestamptz := (date_trunc('day', (end_moment - interval '1 microsecond') at time zone zone)
    + interval '1 day') at time zone zone;
begin
  delete from call_sums
    where exchange_id = exchange and span in ('hour', 'day') and at >= first_day and at < end_day;
  insert into call_sums
    select exchange_id, longer.span, of, longer.begins, which,
      sum(calls), sum(answered), sum(missed), sum(talk_seconds), sum(wait_seconds), max(longest_wait), add_up(within)
    from call_sums cross join lateral longer_spans(of, at, zone) as longer
    where exchange_id = exchange and call_sums.span = 'quarter' and at >= first_day and at < end_day
    group by exchange_id, longer.span, of, longer.begins, which;
end $$;

-- Sums of the quarters between two moments, and of the days they are in, made anew from the records.
create function recount_calls(exchange bigint, first_moment timestamptz, end_moment timestamptz) returns void
language plpgsql as $$
declare
  first_quarter timestamptz := date_bin('15 minutes', first_moment, timestamptz '2000-01-01 00:00+00');
  end_quarter timestamptz := date_bin('15 minutes', end_moment - interval '1 microsecond',
    timestamptz '2000-01-01 00:00+00') + interval '15 minutes';
begin
  perform pg_advisory_xact_lock(call_sums_lock(exchange));
  delete from call_sums
    where exchange_id = exchange and span = 'quarter' and at >= first_quarter and at < end_quarter;
  insert into call_sums select * from quarter_sums(array(select id from cdrs
    where exchange_id = exchange and start_stamp >= first_quarter and start_stamp < end_quarter));
  perform recount_days(exchange, first_quarter, end_quarter);
end $$;

create function recount_gone_calls() returns trigger language plpgsql as $$
begin
  -- With the exchange itself go its sums.
  perform recount_calls(exchange_id, quarter, quarter + interval '15 minutes')
    from (select distinct exchange_id, date_bin('15 minutes', start_stamp, timestamptz '2000-01-01 00:00+00') as quarter
      from gone where exists (select from exchanges where exchanges.id = gone.exchange_id) order by 1, 2) as changed;
  return null;
end $$;

create function recount_changed_call() returns trigger language plpgsql as $$
begin
  perform recount_calls(exchange_id, start_stamp, start_stamp + interval '1 microsecond')
    from (values (old.exchange_id, old.start_stamp), (new.exchange_id, new.start_stamp)) as call (exchange_id, start_stamp)
    order by exchange_id, start_stamp;
  return null;
end $$;

create function recount_days_of_zone() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(call_sums_lock(new.id));
  delete from call_sums where exchange_id = new.id and span in ('hour', 'day');
  perform recount_days(new.id, min(at), max(at) + interval '15 minutes')
    from call_sums where exchange_id = new.id and span = 'quarter' having count(*) > 0;
  return null;
end $$;

-- "Always": also where records are written in bulk, by whoever switches other triggers off. It is named to run after the
-- one that takes the legs away, so that what is left is counted.
create trigger cdrs_sums_added after insert on cdrs
  referencing new table as added for each statement execute function add_call_sums();
create trigger cdrs_sums_gone after delete on cdrs
  referencing old table as gone for each statement execute function recount_gone_calls();
create trigger cdrs_sums_changed after update of exchange_id, direction, origin, start_stamp, answer_stamp,
    caller_id_number, outbound_caller_id_number, destination_number, dialed_user, connected_user, talk_seconds, queue,
    queue_wait_seconds, missed, listening
  on cdrs for each row when (old.* is distinct from new.*) execute function recount_changed_call();
create trigger exchanges_sums_zone after update of time_zone on exchanges
  for each row when (old.time_zone is distinct from new.time_zone) execute function recount_days_of_zone();
alter table cdrs enable always trigger cdrs_sums_added;
alter table cdrs enable always trigger cdrs_sums_gone;
alter table cdrs enable always trigger cdrs_sums_changed;
