-- Which addresses are a trunk's where several exchanges share a server: what its settings name counts once the operator has
-- approved it, or once a SIP server has answered us there. What was set before this stands, as approved by the upgrade.
create table trunk_approvals (
  exchange_id bigint not null,
  trunk_id bigint not null,
  -- One of the two: a network that calls may come from, or a host whose servers they may come from.
  network cidr,
  host text,
  by text not null check (by in ('upgrade', 'alone', 'operator')),
  approved_at timestamptz not null default now(),
  foreign key (exchange_id, trunk_id) references trunks (exchange_id, id) on delete cascade,
  check ((network is null) <> (host is null)),
  unique (trunk_id, network),
  unique (trunk_id, host)
);

insert into trunk_approvals (exchange_id, trunk_id, network, by)
  select distinct exchange_id, id, unnest(source_addresses), 'upgrade' from trunks;
insert into trunk_approvals (exchange_id, trunk_id, host, by)
  select exchange_id, id, lower(coalesce(nullif(outbound_proxy, ''), host)), 'upgrade' from trunks;

create trigger trunk_approvals_changed after insert or update or delete on trunk_approvals
  for each statement execute function tell_trunks();

-- Addresses at which a SIP server has answered this trunk.
alter table trunk_states add column proved inet[] not null default '{}';

-- Those of the wanted networks that overlap what is another exchange's, and are not the very same: carriers are shared.
create function trunk_networks_taken(asker bigint, wanted cidr[]) returns cidr[]
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(array_agg(asked), '{}') from unnest(wanted) asked
  where exists (
    select from trunks
      cross join unnest(trunks.source_addresses) named
      left join trunk_states on trunk_states.trunk_id = trunks.id
    where trunks.exchange_id <> asker and trunks.active and named && asked and named <> asked
      and (
        exists (select from trunk_approvals approved where approved.trunk_id = trunks.id and approved.network >>= named)
        or (
          masklen(named) >= case family(named) when 4 then 24 else 48 end
          and exists (select from unnest(trunk_states.proved) answered where answered <<= named)
        )
      )
  )
$$;
