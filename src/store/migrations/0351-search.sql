-- People look for a part of a name or number, with or without the letters of their language.

create function search_form(given text) returns text language sql immutable parallel safe
  return lower(translate(given, 'İIıÇçĞğÖöŞşÜüÂâÎîÛû', 'iiiccggoossuuaaiiuu'));

create function call_search_form(caller text, caller_name text, destination text, destination_name text)
  returns text language sql immutable parallel safe
  return search_form(caller || ' ' || caller_name || ' ' || destination || ' ' || destination_name);

create function contact_search_form(name text, surname text, company text, phone text, phone1 text, phone2 text)
  returns text language sql immutable parallel safe
  return search_form(coalesce(name, '') || ' ' || coalesce(surname, '') || ' ' || coalesce(company, '') || ' ' ||
    coalesce(phone, '') || ' ' || coalesce(phone1, '') || ' ' || coalesce(phone2, ''));

-- A database that does not have the extension, or does not let us, is searched row by row.
do $$
begin
  create extension if not exists pg_trgm;
exception when others then
  raise notice 'searching without pg_trgm: %', sqlerrm;
end $$;

do $$
declare
  -- Where an operator has put it.
  place name := (select nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm');
begin
  if place is null then return; end if;
  execute format('create index cdrs_by_search_form on cdrs using gin
    (call_search_form(caller_id_number, caller_id_name, destination_number, destination_name) %I.gin_trgm_ops)', place);
  execute format('create index contacts_by_search_form on contacts using gin
    (contact_search_form(name, surname, company_name, phone, phone1, phone2) %I.gin_trgm_ops)', place);
end $$;

create function search_pattern(about text) returns text language sql immutable parallel safe
  return '%' || replace(replace(replace(search_form(about), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- Looking past the walls is for the session's own exchange. Where it has none it is for those alone around whom there are
-- no walls: the owner, the server, and everybody where none were raised.
create function refuse_foreign_search(exchange bigint) returns void language plpgsql stable
  set search_path = public, pg_temp as $$
declare
  entered text := nullif(current_setting('santral.exchange', true), '');
  -- Inside a function of the owner's only these two tell who asks.
  asking name := coalesce(nullif(current_setting('role', true), 'none'), session_user);
  is_free boolean;
begin
  select not relrowsecurity or pg_has_role(asking, relowner, 'member')
      or exists (select from pg_policies where schemaname = 'public' and tablename = 'cdrs' and policyname = 'server'
        and asking = any(roles))
    into is_free from pg_class where oid = 'cdrs'::regclass;
  if entered = exchange::text or (entered is null and is_free) then
    if has_table_privilege(asking, 'cdrs', 'select') and has_table_privilege(asking, 'contacts', 'select') then return; end if;
  end if;
  raise insufficient_privilege using message = 'this session does not search that exchange';
end $$;

-- The walls let no index be asked for a part of a text, for what an operator might tell of rows behind them. These two
-- look past the walls and keep to one exchange themselves. They give numbers of rows, which the walls let one read or not.
create function matching_calls(exchange bigint, about text, since timestamptz, until timestamptz, most int)
  returns setof bigint language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  perform refuse_foreign_search(exchange);
  -- Planned for what is asked now: what is rare is found by its letters, what is common among the newest.
  return query execute format(
    'select id from cdrs where exchange_id = %s and not listening and start_stamp >= %L and start_stamp < %L
       and call_search_form(caller_id_number, caller_id_name, destination_number, destination_name) like %L
     order by start_stamp desc, id desc limit %s',
    exchange, coalesce(since, '-infinity'), coalesce(until, 'infinity'), search_pattern(about), coalesce(most::text, 'all'));
end $$;

create function matching_contacts(exchange bigint, about text, most int)
  returns setof bigint language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  perform refuse_foreign_search(exchange);
  return query execute format(
    'select id from contacts where exchange_id = %s
       and contact_search_form(name, surname, company_name, phone, phone1, phone2) like %L limit %s',
    exchange, search_pattern(about), coalesce(most::text, 'all'));
end $$;
