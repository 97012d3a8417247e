-- Whether a group or queue follows a member who is forwarded, by the exchange or by a key of the phone.
alter table ring_groups add column follows_forwards boolean not null default false;
alter table queues add column follows_forwards boolean not null default false;
