-- What was spent in the last hour or two, in stretches of five minutes; the same transaction adds it to the month.
create table spent_lately (
  exchange_id bigint not null references exchanges on delete cascade,
  since timestamptz not null,
  -- Whose right it was to call; empty where it was no extension's.
  extension text not null,
  amount numeric(14, 4) not null,
  primary key (exchange_id, since, extension)
);

-- Of what those who run an exchange were told last, by cause, and by extension where it is about one.
create table spending_alarms (
  exchange_id bigint not null references exchanges on delete cascade,
  cause text not null check (cause in ('hourly-spending', 'unusual-spending', 'calls-at-once', 'hourly-limit')),
  extension text not null default '',
  value numeric(14, 4) not null,
  threshold numeric(14, 4) not null,
  told_at timestamptz not null,
  primary key (exchange_id, cause, extension)
);
