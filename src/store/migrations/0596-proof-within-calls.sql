-- Whether phones that speak by UDP are asked for their password before they send a call, or its voice, elsewhere.
alter table exchanges add column proof_within_calls boolean not null default true;
