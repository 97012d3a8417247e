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

-- Beside `matching_calls`: of which calls this was written, as many notes as are wanted, since some moment;
-- clocks may have been set back between a call and its note.
create function noted_calls(exchange bigint, of text, which text, since timestamptz, most int)
  returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  perform refuse_foreign_search(exchange);
  return query execute format('select call_uuid from call_notes where exchange_id = %s and at >= %L and %s limit %s',
    exchange, coalesce(since, '-infinity') - interval '1 day',
    case of
      when 'tag' then format('tags <> ''{}'' and tags @> array[%L]', which)
      when 'disposition' then format('disposition = %L', which)
      when 'note' then format('note <> '''' and search_form(note) like %L', search_pattern(which)) end,
    coalesce(most::text, 'all'));
end $$;
