-- Who calls and who is called, as a carrier is told it, and whether what it says is believed (RFC 3325).
alter table trunks
  add column identity text not null default 'pai' check (identity in ('pai', 'ppi', 'rpid', 'none')),
  add column trusted boolean not null default true,
  add column diversion text not null default 'diversion'
    check (diversion in ('none', 'diversion', 'history-info', 'both')),
  add column forwarded_caller text not null default 'own' check (forwarded_caller in ('own', 'original')),
  add column attestation text not null default 'ignored' check (attestation in ('ignored', 'verified', 'required')),
  add column attestation_certificates text not null default '';

alter table extensions add column withhold_number boolean not null default false;
