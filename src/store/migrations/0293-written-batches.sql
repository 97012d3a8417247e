-- Which batch of a stream of writes was written last, in the transaction that wrote it: what lies on disk while the
-- database is away is written once, however often it is tried and whoever tries it.
create table written_batches (
  stream text primary key,
  life uuid not null,
  batch bigint not null
) with (fillfactor = 10);
