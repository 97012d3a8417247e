-- Phones of extensions that a queue or ring group rang and that did not take the call: what agents are offered and let pass
-- is counted by them, as by the other legs. The interface tells of a call's way without them, as it always did.
alter table cdr_legs add column in_vain boolean not null default false;
