-- When the owner of a session showed last who he is.
alter table staff_sessions add column proved_at timestamptz not null default now();
update staff_sessions set proved_at = created_at;
