-- Who ended the call. Of calls before this only the interface's word is known, which has two answers for it.
alter table cdrs add column ended_by text
  check (ended_by in ('caller', 'callee', 'interface', 'supervisor', 'operator', 'exchange'));
