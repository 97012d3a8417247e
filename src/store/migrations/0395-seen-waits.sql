-- How long callers waited, of the calls that somebody sees: heaps of the days that `seen_days` keeps, and of their months.
create table seen_waits (
  exchange_id bigint not null references exchanges on delete cascade,
  seen text not null,
  span text not null check (span in ('day', 'month')),
  direction text not null,
  at timestamptz not null,
  -- Of the day at the exchange; -1: of the whole day.
  hour smallint not null,
  taken boolean not null,
  -- So many calls waited so many seconds, each list in the order of the other.
  waits integer[] not null,
  calls integer[] not null,
  primary key (exchange_id, seen, span, direction, at, hour, taken)
);
create table seen_months (
  exchange_id bigint not null references exchanges on delete cascade,
  seen text not null,
  at timestamptz not null,
  -- Of its days.
  told text not null,
  primary key (exchange_id, seen, at)
);

-- They have no heaps: they are counted again.
delete from seen_days;

create or replace function forget_days_of_zone() returns trigger language plpgsql as $$
begin
  delete from seen_days where exchange_id = new.id;
  delete from seen_sums where exchange_id = new.id;
  delete from seen_months where exchange_id = new.id;
  delete from seen_waits where exchange_id = new.id;
  return null;
end $$;
