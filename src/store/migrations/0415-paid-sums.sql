-- What paid legs add up to, by days of the exchange that are over: counted when they are first asked for, and forgotten when
-- one of their legs changes. `is_noted` is false where nothing but the sum is known; `which` is empty then.
create table paid_sums (
  exchange_id bigint not null references exchanges on delete cascade,
  at timestamptz not null,
  of text not null check (of in ('trunk', 'extension', 'price', 'campaign', 'kind')),
  is_noted boolean not null,
  which text not null,
  name text not null,
  legs integer not null,
  calls integer not null,
  minutes integer not null,
  amount numeric(14, 4) not null,
  primary key (exchange_id, of, at, is_noted, which)
);
create table paid_days (
  exchange_id bigint not null references exchanges on delete cascade,
  at timestamptz not null,
  primary key (exchange_id, at)
);

-- Who counts days waits for those who pay for a minute just then, and they for him.
create function paid_days_lock(exchange bigint) returns bigint language sql immutable as
  $$ select hashtextextended('paid days', exchange) $$;
create function forget_paid_day() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(paid_days_lock(new.exchange_id));
  delete from paid_days where exchange_id = new.exchange_id and at > new.at - interval '26 hours' and at <= new.at;
  if tg_op = 'UPDATE' and old.at <> new.at then
    delete from paid_days where exchange_id = new.exchange_id and at > old.at - interval '26 hours' and at <= old.at;
  end if;
  return null;
end $$;
create trigger paid_legs_added after insert on paid_legs for each row execute function forget_paid_day();
create trigger paid_legs_changed after update of at, calls, minutes, amount on paid_legs
  for each row when (old.* is distinct from new.*) execute function forget_paid_day();
create function forget_paid_days_of_zone() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(paid_days_lock(new.id));
  delete from paid_days where exchange_id = new.id;
  delete from paid_sums where exchange_id = new.id;
  return null;
end $$;
create trigger exchanges_paid_zone after update of time_zone on exchanges
  for each row when (old.time_zone is distinct from new.time_zone) execute function forget_paid_days_of_zone();

-- The legs behind one line, however few among however many.
create index paid_legs_by_trunk on paid_legs
  (exchange_id, (case when kind <> 'unnoted' then coalesce(trunk, '') end), at desc, leg desc);
create index paid_legs_by_extension on paid_legs
  (exchange_id, (case when kind <> 'unnoted' then extension end), at desc, leg desc);
create index paid_legs_by_price on paid_legs
  (exchange_id, (case when kind <> 'unnoted' then coalesce(prefix, '') end), at desc, leg desc);
create index paid_legs_by_campaign on paid_legs
  (exchange_id, (case when kind <> 'unnoted' then coalesce(campaign_id::text, '') end), at desc, leg desc);
create index paid_legs_by_kind on paid_legs (exchange_id, kind, at desc, leg desc);
