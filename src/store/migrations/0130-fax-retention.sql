-- For how long an exchange keeps the pages of its faxes; null: for good, as it was before anybody could say.
alter table exchanges add column fax_retention_days integer check (fax_retention_days > 0);

alter table fax_orders add column deleted_at timestamptz;
create index fax_orders_kept on fax_orders (exchange_id, finished_at) where finished_at is not null and deleted_at is null;
create index fax_records_kept on fax_records (exchange_id, end_stamp)
  where end_stamp is not null and deleted_at is null and order_id is null and object_key is not null;
