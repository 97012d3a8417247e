-- The HTTP door remembers keys and extension states for a moment. Whoever changes one of them, and by whatever way,
-- says so with the same commit, so that nothing outlives its change in a memory.

create function tell_exchange_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('exchange_changed', (case when tg_op = 'DELETE' then old.exchange_id else new.exchange_id end)::text);
  return null;
end $$;

create function tell_exchange_itself_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('exchange_changed', old.id::text);
  return null;
end $$;

create trigger tell_change after update or delete on api_keys
  for each row execute function tell_exchange_changed();
create trigger tell_change after insert or update or delete on extensions
  for each row execute function tell_exchange_changed();
create trigger tell_change after update or delete on exchanges
  for each row execute function tell_exchange_itself_changed();
