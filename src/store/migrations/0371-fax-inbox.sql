-- Faxes that came, at work: whether somebody has read one, and whose it is. And orders that somebody took back.
alter table fax_records
  add column read_at timestamptz,
  add column assigned_to bigint,
  add foreign key (exchange_id, assigned_to) references staff (exchange_id, id) on delete set null (assigned_to);
-- What came before anybody could say so is not news.
update fax_records set read_at = end_stamp where direction <> 'outbound' and end_stamp is not null;
create index fax_records_received on fax_records (exchange_id, start_stamp desc)
  where end_stamp is not null and direction <> 'outbound';
create index fax_records_unread on fax_records (exchange_id, start_stamp desc)
  where end_stamp is not null and direction <> 'outbound' and read_at is null;
create index fax_records_assigned on fax_records (exchange_id, assigned_to) where assigned_to is not null;
create index fax_records_of_order on fax_records (exchange_id, order_id, start_stamp) where order_id is not null;

alter table fax_orders drop constraint fax_orders_state_check;
alter table fax_orders add constraint fax_orders_state_check
  check (state in ('waiting', 'sending', 'sent', 'failed', 'cancelled'));
