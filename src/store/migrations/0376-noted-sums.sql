-- Calls by what agents wrote about them: a call counts once for each of its tags and dispositions, however many gave it.
create function note_marks(tags text[], disposition text) returns table (of text, which text)
language sql immutable as $$
  select 'tag', tag from unnest(tags) as tag
  union all select 'disposition', disposition where disposition is not null
$$;

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
    union all select mark.of, mark.which, call.taken, call.missed, call.talk_seconds, 0
      from (select distinct mark.of, mark.which from call_notes as note
        cross join lateral note_marks(note.tags, note.disposition) as mark
        where note.exchange_id = call.exchange_id and note.call_uuid = call.call_uuid) as mark
  ) as part (of, which, answered, missed, talk, wait)
$$;

-- What is written after a call's record changes its sums in the same transaction: a mark that the call has now and had not
-- is added, one that it has no more is taken away. Whoever writes about a call has it to himself (`lockNotes`).
create function change_note_sums(before_rows call_notes[], after_rows call_notes[]) returns void language plpgsql as $$
declare
  changed call_sums[];
begin
  if cardinality(before_rows) + cardinality(after_rows) = 0 then return; end if;
  perform pg_advisory_xact_lock_shared(call_sums_lock(exchange_id))
    from (select distinct note.exchange_id from unnest(before_rows || after_rows) as note order by 1) as exchange;
  changed := array(
    with touched as (select distinct note.exchange_id, note.call_uuid from unnest(before_rows || after_rows) as note),
    calls as (select cdrs.id, touched.* from touched join cdrs using (exchange_id, call_uuid)),
    unchanged as (
      select note.* from calls join call_notes as note using (exchange_id, call_uuid)
      where not exists (select from unnest(after_rows) as written where written.exchange_id = note.exchange_id
        and written.call_uuid = note.call_uuid and written.extension = note.extension)),
    marks as (
      select id, mark.of, mark.which, bool_or(is_now) as now, bool_or(was) as before
      from (select exchange_id, call_uuid, tags, disposition, true as was, false as is_now from unnest(before_rows)
        union all select exchange_id, call_uuid, tags, disposition, false, true from unnest(after_rows)
        union all select exchange_id, call_uuid, tags, disposition, true, true from unchanged) as note
      join calls using (exchange_id, call_uuid) cross join lateral note_marks(tags, disposition) as mark
      group by id, mark.of, mark.which),
    turned as (select id, of, which, case when now then 1 else -1 end as sign from marks where now <> before),
    quarters as (
      select call.exchange_id, 'quarter' as span, turned.of, date_bin('15 minutes', call.began, timestamptz '2000-01-01 00:00+00') as at,
        turned.which, sum(sign)::integer as calls, sum(sign * call.answered::integer)::integer as answered,
        sum(sign * call.missed::integer)::integer as missed, sum(sign * call.talk)::bigint as talk_seconds
      from turned cross join lateral call_parts(array[turned.id]) as call where call.of = 'direction'
      group by call.exchange_id, turned.of, at, turned.which),
    spans as (
      select * from quarters
      union all select exchange_id, longer.span, of, longer.begins, which,
        sum(calls)::integer, sum(answered)::integer, sum(missed)::integer, sum(talk_seconds)::bigint
      from quarters join exchanges on exchanges.id = exchange_id
      cross join lateral longer_spans(of, at, exchanges.time_zone) as longer
      group by exchange_id, longer.span, of, longer.begins, which)
    select row(exchange_id, span, of, at, which, calls, answered, missed, talk_seconds, 0, 0, null)::call_sums
    from spans order by exchange_id, span, of, at, which);
  insert into call_sums select * from unnest(changed)
  on conflict (exchange_id, span, of, at, which) do update set
    calls = call_sums.calls + excluded.calls, answered = call_sums.answered + excluded.answered,
    missed = call_sums.missed + excluded.missed, talk_seconds = call_sums.talk_seconds + excluded.talk_seconds;
  delete from call_sums using unnest(changed) as gone
  where gone.calls <= 0 and call_sums.calls = 0 and call_sums.exchange_id = gone.exchange_id
    and call_sums.span = gone.span and call_sums.of = gone.of and call_sums.at = gone.at and call_sums.which = gone.which;
end $$;

create function note_sums_added() returns trigger language plpgsql as $$
begin
  perform change_note_sums('{}', array(select written::call_notes from written
    where disposition is not null or tags <> '{}'));
  return null;
end $$;
create function note_sums_changed() returns trigger language plpgsql as $$
begin
  perform change_note_sums(array(select former::call_notes from former), array(select written::call_notes from written))
    where exists (select from former join written using (exchange_id, call_uuid, extension)
      where (former.tags, former.disposition) is distinct from (written.tags, written.disposition));
  return null;
end $$;
create function note_sums_gone() returns trigger language plpgsql as $$
begin
  -- With the exchange itself go its sums.
  perform change_note_sums(array(select former::call_notes from former
    where exists (select from exchanges where exchanges.id = former.exchange_id)), '{}');
  return null;
end $$;
create trigger call_notes_sums_added after insert on call_notes
  referencing new table as written for each statement execute function note_sums_added();
create trigger call_notes_sums_changed after update on call_notes
  referencing old table as former new table as written for each statement execute function note_sums_changed();
create trigger call_notes_sums_gone after delete on call_notes
  referencing old table as former for each statement execute function note_sums_gone();
alter table call_notes enable always trigger call_notes_sums_added;
alter table call_notes enable always trigger call_notes_sums_changed;
alter table call_notes enable always trigger call_notes_sums_gone;

-- What was written before is counted with its day.
insert into call_sums_owed (exchange_id, day)
  select distinct cdrs.exchange_id, (cdrs.start_stamp at time zone 'UTC')::date
  from call_notes join cdrs using (exchange_id, call_uuid)
  where call_notes.disposition is not null or call_notes.tags <> '{}'
on conflict do nothing;
