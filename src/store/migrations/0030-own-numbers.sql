-- An exchange's own numbers are among the settings that calls keep in memory.

create trigger external_numbers_added after insert on external_numbers
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger external_numbers_updated after update on external_numbers
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger external_numbers_removed after delete on external_numbers
  referencing old table as changed_rows for each statement execute function tell_directory();
