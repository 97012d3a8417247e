-- Several servers on one database: each is a node, and each exchange lives on one of them. A node lives from its start to
-- its end; its life has a number that no other ever had, and holds until `until`, by the database's own clock alone.
create sequence node_lives;

alter table nodes
  add column life bigint,
  add column url text not null default '',
  add column sip text not null default '',
  add column version text not null default '',
  add column state text not null default 'over' check (state in ('up', 'draining', 'over')),
  add column hasty boolean not null default false,
  add column until timestamptz not null default '-infinity';
comment on column nodes.hasty is 'whether a node that gives its exchanges away ends their calls instead of waiting for them';
create unique index nodes_life on nodes (life);

-- Where an exchange lives. The epoch grows with every take-over.
create table exchange_owners (
  exchange_id bigint primary key references exchanges on delete cascade,
  node text not null references nodes,
  epoch bigint not null
);
create index exchange_owners_node on exchange_owners (node);

-- Which life a session acts in. 'command': a person's, who may do anything; 'look': it sees all and changes nothing.
create function acting_life() returns text language sql stable parallel safe as
$$ select coalesce(current_setting('santral.node_life', true), '') $$;

create function sees_every_exchange() returns boolean language sql stable parallel safe as
$$ select acting_life() in ('command', 'look') $$;

-- The exchanges of the session's own node. Whose life is over is told so instead of finding nothing.
create function own_exchanges() returns setof bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  acting text := acting_life();
begin
  if sees_every_exchange() then return; end if;
  if not exists (select from nodes where life = nullif(acting, '')::bigint and until > clock_timestamp()) then
    raise exception 'node life % is over', acting using errcode = 'SN001';
  end if;
  return query select owned.exchange_id from exchange_owners owned join nodes on nodes.name = owned.node
    where nodes.life = acting::bigint;
end $$;

-- Fences: nothing is written by a life that is over, or into an exchange that lives elsewhere. The lock is shared by those
-- who write, and a take-over waits for it: what was let through before it is committed before it. It looks after the
-- lock with new eyes, hence volatile.
create function must_live() returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  acting text := acting_life();
begin
  if acting = 'command' then return; end if;
  if acting in ('', 'look')
    or not exists (select from nodes where life = acting::bigint and until > clock_timestamp()) then
    raise exception 'node life % is over', acting using errcode = 'SN001';
  end if;
end $$;

create function must_own(wanted bigint) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  acting text := acting_life();
begin
  if acting = 'command' then return; end if;
  perform pg_advisory_xact_lock_shared(7268741, (wanted % 2147483647)::int);
  if acting in ('', 'look') or not exists (
    select from exchange_owners owned join nodes on nodes.name = owned.node
    where owned.exchange_id = wanted and nodes.life = acting::bigint and nodes.until > clock_timestamp()) then
    raise exception 'exchange % does not live in node life %', wanted, acting using errcode = 'SN001';
  end if;
end $$;

-- For tables with exchange_id; a row without one belongs to whichever node is alive.
create function fence_row() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.exchange_id is null then perform must_live(); else perform must_own(old.exchange_id); end if;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  if tg_op = 'INSERT' or new.exchange_id is distinct from old.exchange_id then
    if new.exchange_id is null then perform must_live(); else perform must_own(new.exchange_id); end if;
  end if;
  return new;
end $$;

create function fence_exchange() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform must_own(old.id); else perform must_own(new.id); end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

-- For tables whose rows have no exchange of their own.
create function fence_life() returns trigger language plpgsql as $$
begin
  perform must_live();
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

-- Work is done where its exchange lives: what the server owes says in its payload whose it is.
create function exchange_of_job(payload jsonb) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if jsonb_typeof(payload -> 'exchangeId') = 'number' then return (payload ->> 'exchangeId')::bigint; end if;
  if jsonb_typeof(payload -> 'callUuid') = 'string' then
    return (select exchange_id from recordings where call_uuid = (payload ->> 'callUuid')::uuid);
  end if;
  return null;
end $$;

create function fence_job() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.exchange_id is null then new.exchange_id := exchange_of_job(new.payload); end if;
  if tg_op <> 'INSERT' then
    if old.exchange_id is null then perform must_live(); else perform must_own(old.exchange_id); end if;
  elsif new.exchange_id is null then perform must_live();
  else perform must_own(new.exchange_id);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
