-- What carriers want to be different from one to the next: who we are to them, the way to them, digits, patience, proof.
alter table trunks
  add column auth_user text,
  add column from_user text,
  add column from_domain text,
  add column outbound_proxy text,
  add column outward_strip integer not null default 0 check (outward_strip between 0 and 20),
  add column outward_prefix text,
  add column inward_strip integer not null default 0 check (inward_strip between 0 and 20),
  add column inward_prefix text,
  add column silent_seconds integer not null default 4 check (silent_seconds between 1 and 32),
  add column next_on text[] not null default '{401,407,408,5xx}',
  add column sends_name boolean not null default false,
  add column comedia text not null default 'near' check (comedia in ('never', 'near', 'any')),
  add column tls_verify boolean not null default true,
  add column tls_name text,
  add column tls_ca text,
  drop constraint trunks_transport_check,
  add constraint trunks_transport_check check (transport in ('auto', 'udp', 'tcp', 'tls'));

-- What was last heard of it, and when it is asked again.
alter table trunk_states
  add column answer text,
  add column answered_at timestamptz,
  add column latency_ms integer,
  add column next_try_at timestamptz;
