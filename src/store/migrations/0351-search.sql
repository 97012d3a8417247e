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
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  create index cdrs_by_search_form on cdrs using gin
    (call_search_form(caller_id_number, caller_id_name, destination_number, destination_name) gin_trgm_ops);
  create index contacts_by_search_form on contacts using gin
    (contact_search_form(name, surname, company_name, phone, phone1, phone2) gin_trgm_ops);
end $$;

create function search_pattern(about text) returns text language sql immutable parallel safe
  return '%' || replace(replace(replace(search_form(about), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- The walls let no index be asked for a part of a text, for what an operator might tell of rows behind them. These two
-- look past the walls and keep to one exchange themselves: the session's own, where it has one. They give numbers of rows,
-- which the walls let one read or not.
create function matching_calls(exchange bigint, about text, since timestamptz, until timestamptz, most int)
  returns setof bigint language plpgsql stable security definer set search_path from current as $$
begin
  if exchange::text is distinct from coalesce(nullif(current_setting('santral.exchange', true), ''), exchange::text) then
    return;
  end if;
  -- Planned for what is asked now: what is rare is found by its letters, what is common among the newest.
  return query execute format(
    'select id from cdrs where exchange_id = %s and start_stamp >= %L and start_stamp < %L
       and call_search_form(caller_id_number, caller_id_name, destination_number, destination_name) like %L
     order by start_stamp desc, id desc limit %s',
    exchange, coalesce(since, '-infinity'), coalesce(until, 'infinity'), search_pattern(about), coalesce(most::text, 'all'));
end $$;

create function matching_contacts(exchange bigint, about text, most int)
  returns setof bigint language plpgsql stable security definer set search_path from current as $$
begin
  if exchange::text is distinct from coalesce(nullif(current_setting('santral.exchange', true), ''), exchange::text) then
    return;
  end if;
  return query execute format(
    'select id from contacts where exchange_id = %s
       and contact_search_form(name, surname, company_name, phone, phone1, phone2) like %L limit %s',
    exchange, search_pattern(about), coalesce(most::text, 'all'));
end $$;
