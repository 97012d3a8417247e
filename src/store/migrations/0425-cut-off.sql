-- How often in a row whoever worked at a job ended in the middle of it, without a word on what came of it.
alter table jobs add column cut_off integer not null default 0;
