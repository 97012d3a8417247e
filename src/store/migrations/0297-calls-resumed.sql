-- What the next process needs to go on with a call that is up, and when that was done: a call that is cut off again and
-- again is not gone on with for ever.
alter table live_calls add column resume json;
alter table live_calls add column resumed_at timestamptz[] not null default '{}';
