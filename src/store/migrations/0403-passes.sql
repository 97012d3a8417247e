-- Queues and ring groups that a call came to before the last one, which its record names: how long it stayed there, and
-- whether a person took it there; where nobody did, it was passed on. A call that came to one has none.
create table call_passes (
  call_id bigint not null references cdrs on delete cascade,
  exchange_id bigint not null,
  queue text not null,
  start_stamp timestamptz not null,
  wait_seconds integer not null,
  answered boolean not null,
  talk_seconds integer not null,
  primary key (call_id, queue)
);
create index call_passes_newest_first on call_passes (exchange_id, queue, start_stamp desc, call_id desc);

-- How long it stayed at the last one, where `queue_wait_seconds` does not say it: a ring group rang so long, or it came to the
-- same queue twice. What became of it there, where the rest of the record does not say it.
alter table cdrs add column queue_stay_seconds integer,
  add column queue_end text check (queue_end in ('abandoned', 'passed-on'));

create function change_call_passes() returns trigger language plpgsql as $$
begin
  update call_passes set exchange_id = new.exchange_id, start_stamp = new.start_stamp where call_id = new.id;
  return null;
end $$;
create trigger cdrs_passes_changed after update of exchange_id, start_stamp
  on cdrs for each row when (old.* is distinct from new.*) execute function change_call_passes();
alter table cdrs enable always trigger cdrs_passes_changed;

create or replace function call_parts(ids bigint[]) returns table (
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
    -- The last one that it came to; what passed the call on has it as neither answered nor missed.
    union all select 'queue', call.queue, call.taken and call.queue_end is null, call.missed and call.queue_end is null,
      case when call.taken and call.queue_end is null then greatest(0, call.talk_seconds -
        (select coalesce(sum(pass.talk_seconds), 0) from call_passes as pass where pass.call_id = call.id)::integer) else 0 end,
      coalesce(call.queue_stay_seconds, call.queue_wait_seconds) where call.queue is not null
    union all select 'passed-on', call.queue, false, false, 0, 0 where call.queue_end = 'passed-on'
    -- Those before it.
    union all select part.of, pass.queue, pass.answered and part.of = 'queue', false,
      case part.of when 'queue' then pass.talk_seconds else 0 end, case part.of when 'queue' then pass.wait_seconds else 0 end
      from call_passes as pass cross join (values ('queue'), ('passed-on')) as part (of)
      where pass.call_id = call.id and pass.queue <> call.queue and not (pass.answered and part.of = 'passed-on')
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
    union all select mark.of, mark.which, call.taken, call.missed, call.talk_seconds, 0
      from (select distinct mark.of, mark.which from call_notes as note
        cross join lateral note_marks(note.tags, note.disposition) as mark
        where note.exchange_id = call.exchange_id and note.call_uuid = call.call_uuid) as mark
  ) as part (of, which, answered, missed, talk, wait)
$$;

create or replace function hour_waits(ids bigint[]) returns setof wait_sums language sql stable as $$
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
  cross join lateral (select '' as queue union all select call.queue where call.queue <> ''
    union all select pass.queue from call_passes as pass where pass.call_id = call.id and pass.queue <> call.queue) as part
  where call.taken or call.missed
  group by 1, 3, 4, 5, 6, 7, 8
$$;

drop trigger cdrs_sums_changed on cdrs;
create trigger cdrs_sums_changed after update of exchange_id, direction, origin, start_stamp, answer_stamp, end_stamp,
    caller_id_number, outbound_caller_id_number, destination_number, dialed_user, connected_user, talk_seconds, queue,
    queue_wait_seconds, queue_stay_seconds, queue_end, missed, listening
  on cdrs for each row when (old.* is distinct from new.*) execute function recount_changed_call();
alter table cdrs enable always trigger cdrs_sums_changed;
