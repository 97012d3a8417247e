-- Until when what was proved is good: a day after a server there was last heard. What was proved before this has that day.
alter table trunk_states add column proved_until timestamptz[] not null default '{}';
update trunk_states set proved_until = array_fill(now() + interval '1 day', array[cardinality(proved)])
  where cardinality(proved) > 0;
alter table trunk_states add check (cardinality(proved) = cardinality(proved_until));
