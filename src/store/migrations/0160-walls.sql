-- Work that a tenant's request puts in is his: nobody else's request sees it. What the server itself owes has no tenant.
alter table jobs add column exchange_id bigint default nullif(current_setting('santral.exchange', true), '')::bigint;
