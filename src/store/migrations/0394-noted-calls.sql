-- What agents wrote about calls is looked for by its letters, tags and dispositions, as calls are by their numbers.
do $$
declare
  place name := (select nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm');
begin
  if place is null then return; end if;
  execute format('create index call_notes_by_search_form on call_notes using gin (search_form(note) %I.gin_trgm_ops)
    where note <> ''''', place);
end $$;
create index call_notes_by_tag on call_notes using gin (tags) where tags <> '{}';
-- With the call, so that looking for it in many of them is never done in circles.
create index call_notes_by_disposition on call_notes (exchange_id, disposition, call_uuid) where disposition is not null;

-- When its call began, as soon as that has a record: so the calls that something common was written about need not all be
-- read to tell which of them are the newest.
alter table call_notes add column began timestamptz;
update call_notes set began = cdrs.start_stamp from cdrs
  where cdrs.exchange_id = call_notes.exchange_id and cdrs.call_uuid = call_notes.call_uuid;
create index call_notes_by_call on call_notes (exchange_id, began desc) where began is not null;

create function date_call_note() returns trigger language plpgsql as $$
begin
  new.began := (select start_stamp from cdrs where exchange_id = new.exchange_id and call_uuid = new.call_uuid);
  return new;
end $$;
create trigger call_notes_dated before insert or update on call_notes
  for each row when (new.began is null) execute function date_call_note();

create function date_notes_of_calls() returns trigger language plpgsql as $$
begin
  update call_notes set began = added.start_stamp from added
    where added.exchange_id = call_notes.exchange_id and added.call_uuid = call_notes.call_uuid;
  return null;
end $$;
-- It is named to run after those that wait for whoever writes about these calls just now (`call_sums_lock`).
create trigger cdrs_written_about after insert on cdrs
  referencing new table as added for each statement execute function date_notes_of_calls();

create function date_notes_anew() returns trigger language plpgsql as $$
begin
  update call_notes set began = new.start_stamp where exchange_id = new.exchange_id and call_uuid = new.call_uuid;
  return null;
end $$;
create trigger cdrs_written_about_changed after update of start_stamp on cdrs
  for each row when (old.start_stamp <> new.start_stamp) execute function date_notes_anew();
alter table call_notes enable always trigger call_notes_dated;
alter table cdrs enable always trigger cdrs_written_about;
alter table cdrs enable always trigger cdrs_written_about_changed;

-- Nobody owes a disposition for that.
create function tell_of_changed_dispositions() returns trigger language plpgsql as $$
begin
  perform pg_notify('queues', changed.exchange_id::text)
  from (select distinct exchange_id from former join written using (exchange_id, call_uuid, extension)
    where (former.owes_disposition, former.disposition, former.queue)
      is distinct from (written.owes_disposition, written.disposition, written.queue)) as changed;
  return null;
end $$;
drop trigger call_notes_changed on call_notes;
create trigger call_notes_changed after update on call_notes
  referencing old table as former new table as written for each statement execute function tell_of_changed_dispositions();

-- Beside `matching_calls`: which calls this was written about, the newest first.
create function noted_calls(exchange bigint, of text, which text, since timestamptz, until timestamptz, most int)
  returns table (call_uuid uuid, began timestamptz) language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  perform refuse_foreign_search(exchange);
  return query execute format(
    'select note.call_uuid, note.began from call_notes as note
     where exchange_id = %s and note.began >= %L and note.began < %L and %s
     group by 1, 2 order by note.began desc limit %s',
    exchange, coalesce(since, '-infinity'), coalesce(until, 'infinity'),
    case of
      when 'tag' then format('tags <> ''{}'' and tags @> array[%L]', which)
      when 'disposition' then format('disposition = %L', which)
      when 'note' then format('note <> '''' and search_form(note) like %L', search_pattern(which)) end,
    coalesce(most::text, 'all'));
end $$;
