-- What somebody set up by hand, found at once however long the trail is: the first steps of the console look for it.
create index audit_of_setting_up on audit_lines (exchange_id, did)
  where did in ('settings.update', 'menus.create', 'menus.update', 'numbers.create', 'numbers.update', 'command');
