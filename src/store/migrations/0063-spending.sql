-- What a minute costs to numbers that begin so; of several that fit, the longest counts. What fits none costs nothing.
create table call_rates (
  exchange_id bigint not null references exchanges on delete cascade,
  prefix text not null check (prefix ~ '^[0-9]{0,15}$'),
  minute_price numeric(10, 4) not null check (minute_price >= 0),
  primary key (exchange_id, prefix)
);

create trigger call_rates_added after insert on call_rates
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger call_rates_changed after update on call_rates
  referencing new table as changed_rows for each statement execute function tell_directory();
create trigger call_rates_removed after delete on call_rates
  referencing old table as changed_rows for each statement execute function tell_directory();

-- What an exchange has spent in a month of its own calendar. A minute is bought before it is talked, so this is never
-- behind, and a crash loses nothing of it.
create table spending (
  exchange_id bigint not null references exchanges on delete cascade,
  month date not null,
  amount numeric(14, 4) not null,
  limit_reached_at timestamptz,
  primary key (exchange_id, month)
);

-- Keys that a caller presses for a customer's service may be a card's: they are left out of a recording unless so wished.
alter table exchanges add column program_record_keys boolean not null default false;
