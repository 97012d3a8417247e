-- Work takes turns between shares (a webhook receiver, a kind of upkeep), so that a thousand jobs of one cannot delay
-- one job of another: the claim visits every share and takes a few from each.
alter table jobs add column share text not null default '';
-- A job that was looked at while an older one of its lane was unfinished; finishing that one wakes it.
alter table jobs add column held boolean not null default false;
drop index jobs_ready;
create index jobs_ready on jobs (share, run_at, id) where dead_at is null;
-- Dead jobs stay in their lane: whether they hold it is decided by their kind.
drop index jobs_in_lane;
create index jobs_in_lane on jobs (lane, id) where lane is not null;

-- The journal of calls that are up. A row lives from the first ring to the CDR; rows found at a start are calls that
-- a crash cut off. Rows change several times in a short life, so pages keep room for the new versions.
create table live_calls (
  call_uuid uuid primary key,
  exchange_id bigint not null references exchanges on delete cascade,
  node text not null,
  facts jsonb not null,
  recording_path text,
  started_at timestamptz not null,
  last_seen_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index live_calls_of_node on live_calls (node);

-- One sign of life a second for a whole node instead of one for each of its calls.
create table nodes (
  name text primary key,
  seen_at timestamptz not null
);

-- Finds the missed calls that a later call returned.
create index cdrs_not_returned on cdrs (exchange_id, start_stamp) where missed and return_uuid is null;
