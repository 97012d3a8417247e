-- Of which exchange a trunk, rule, number or approval has changed: it alone is read again. Reading those of a thousand
-- exchanges at each change of one kept all calls waiting.
create or replace function tell_trunks() returns trigger language plpgsql as $$
begin
  perform pg_notify('trunks', id::text) from (select distinct exchange_id as id from changed_rows) as changed;
  return null;
end $$;

do $$
declare noun text;
begin
  foreach noun in array array['trunks', 'external_numbers', 'outbound_rules', 'trunk_approvals'] loop
    execute format('drop trigger %I on %I', noun || '_changed', noun);
    execute format('create trigger tell_trunks_added after insert on %I
      referencing new table as changed_rows for each statement execute function tell_trunks()', noun);
    execute format('create trigger tell_trunks_changed after update on %I
      referencing new table as changed_rows for each statement execute function tell_trunks()', noun);
    execute format('create trigger tell_trunks_removed after delete on %I
      referencing old table as changed_rows for each statement execute function tell_trunks()', noun);
  end loop;
end $$;
