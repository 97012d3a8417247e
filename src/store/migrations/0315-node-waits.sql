-- What a node that gives its exchanges away still waits for, in its own words; null until it has looked.
alter table nodes add column waits jsonb;
comment on column nodes.waits is 'calls that cannot move to another node: how many by reason, and the first of them';
