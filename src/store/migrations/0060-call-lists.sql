-- Most exchanges block nobody, keep no holidays or no contacts: calls then need not ask. Whoever remembers that hears
-- here which exchange's lists have changed.
create function tell_call_lists() returns trigger language plpgsql as $$
begin
  perform pg_notify('call_lists', changed.exchange_id::text)
  from (select distinct exchange_id from changed_rows) as changed;
  return null;
end $$;

create trigger blocked_numbers_added after insert on blocked_numbers
  referencing new table as changed_rows for each statement execute function tell_call_lists();
create trigger blocked_numbers_changed after update on blocked_numbers
  referencing new table as changed_rows for each statement execute function tell_call_lists();
create trigger blocked_numbers_removed after delete on blocked_numbers
  referencing old table as changed_rows for each statement execute function tell_call_lists();

create trigger holidays_added after insert on holidays
  referencing new table as changed_rows for each statement execute function tell_call_lists();
create trigger holidays_changed after update on holidays
  referencing new table as changed_rows for each statement execute function tell_call_lists();
create trigger holidays_removed after delete on holidays
  referencing old table as changed_rows for each statement execute function tell_call_lists();

create trigger contacts_added after insert on contacts
  referencing new table as changed_rows for each statement execute function tell_call_lists();
create trigger contacts_changed after update on contacts
  referencing new table as changed_rows for each statement execute function tell_call_lists();
create trigger contacts_removed after delete on contacts
  referencing old table as changed_rows for each statement execute function tell_call_lists();
