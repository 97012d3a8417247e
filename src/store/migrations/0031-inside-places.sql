-- Ring groups, queues and menus are dialled from inside: calls keep their numbers in memory.

create trigger ring_groups_added after insert on ring_groups
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger ring_groups_changed after update on ring_groups
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger ring_groups_removed after delete on ring_groups
  referencing old table as changed_rows for each statement execute function tell_directory();
create trigger queues_added after insert on queues
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger queues_changed after update on queues
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger queues_removed after delete on queues
  referencing old table as changed_rows for each statement execute function tell_directory();
create trigger menus_added after insert on menus
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger menus_changed after update on menus
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger menus_removed after delete on menus
  referencing old table as changed_rows for each statement execute function tell_directory();
