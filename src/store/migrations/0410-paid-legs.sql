-- What each leg that was bought from a carrier has cost: the sum of those of a month is what the month has cost, as both are
-- written at once. A leg that goes on over the end of a month has a line in each, and is a call of the first.
create table paid_legs (
  exchange_id bigint not null references exchanges on delete cascade,
  month date not null,
  -- Empty: what the month had cost before legs were noted.
  leg text not null,
  at timestamptz not null,
  kind text not null check (kind in ('call', 'fax', 'unnoted')),
  call_uuid uuid,
  -- As it was called; forgotten with the record of the call.
  number text not null default '',
  -- Of the price that it goes by; unknown where it was not noted.
  prefix text,
  trunk text,
  extension text not null default '',
  campaign_id bigint,
  campaign text not null default '',
  calls smallint not null default 0,
  minutes integer not null default 0,
  amount numeric(14, 4) not null,
  primary key (exchange_id, month, leg)
);
create index paid_legs_newest_first on paid_legs (exchange_id, at desc, leg desc);
create index paid_legs_of_call on paid_legs (call_uuid) where call_uuid is not null;

insert into paid_legs (exchange_id, month, leg, at, kind, amount)
select exchange_id, month, '', month::timestamp at time zone time_zone, 'unnoted', amount
from spending join exchanges on exchanges.id = exchange_id where amount > 0;

-- The money stays spent; on whom it was is known for as long as the record is.
create function forget_paid_numbers() returns trigger language plpgsql as $$
begin
  update paid_legs set number = '' from gone
  where paid_legs.call_uuid = gone.call_uuid and paid_legs.exchange_id = gone.exchange_id and number <> '';
  return null;
end $$;
create trigger cdrs_paid_numbers after delete on cdrs
  referencing old table as gone for each statement execute function forget_paid_numbers();
