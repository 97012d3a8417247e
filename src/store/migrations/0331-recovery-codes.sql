-- Codes for who has lost his second factor: each opens once, and only their hashes are here.
create table staff_recovery_codes (
  exchange_id bigint not null references exchanges on delete cascade,
  staff_id bigint not null references staff on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (staff_id, code_hash)
);

-- What somebody sees of his own sign-ins.
create index audit_lines_of_staff on audit_lines (exchange_id, who, at desc) where doer = 'staff';
