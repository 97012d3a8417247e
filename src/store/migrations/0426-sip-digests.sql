-- By which digests the phones of an exchange log in.
alter table exchanges add column sip_digests text not null default 'any' check (sip_digests in ('any', 'sha-256'));
