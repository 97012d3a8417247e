-- By how much the clock of the machine was set since a call began. Its own stamps go on by a clock that nobody can set; its
-- last sign of life is the wall's.
alter table live_calls add column stepped_ms bigint not null default 0;
