-- Which server has this database: one at a time. The lock that a server holds on its own connection says who may begin;
-- this row says who it is, since when, and by its epoch whether one that was cut off may go on. Stamps are the
-- database's own.
create table server_lease (
  the_only boolean primary key default true check (the_only),
  epoch bigint not null,
  holder jsonb not null,
  taken_at timestamptz not null,
  until timestamptz not null
);

-- Which server runs it, by its epoch: what an earlier one was in the middle of is taken up again at once.
alter table jobs add column leased_by bigint;
