-- How long a carrier may take to say more than that it tries; 0 for as long as it rings. And whether it is told who is on the
-- line after a transfer.
alter table trunks
  add column progress_seconds integer not null default 15 check (progress_seconds = 0 or progress_seconds between 3 and 120),
  add column tells_connected boolean not null default false;
