-- How often a phone is asked whether it is still there (OPTIONS), and how often one behind a NAT is sent a sign of life
-- so that the way back to it stays open; 0 for never.
alter table exchanges
  add column qualify_seconds integer not null default 60 check (qualify_seconds between 0 and 3600),
  add column keep_alive_seconds integer not null default 25 check (keep_alive_seconds between 0 and 300);
