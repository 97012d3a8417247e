-- What phones have published of their owners (RFC 3903), each until it runs out.
create table phone_publications (
  exchange_id bigint not null references exchanges on delete cascade,
  extension_id bigint not null,
  -- The name by which the phone renews it.
  tag text not null,
  is_open boolean not null,
  note text not null,
  expires_at timestamptz not null,
  primary key (extension_id, tag),
  foreign key (exchange_id, extension_id) references extensions (exchange_id, id) on delete cascade
);
