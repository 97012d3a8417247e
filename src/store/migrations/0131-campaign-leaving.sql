-- Numbers of a campaign that were claimed and whose call has not left yet. Whoever stops it waits until there are none.
alter table campaign_counts add column leaving integer not null default 0;
