-- How voice is encrypted towards each extension and trunk, and in which form keys go to a carrier and come from it.
alter table extensions add column srtp text not null default 'answered'
  check (srtp in ('off', 'answered', 'allowed', 'required'));
alter table trunks
  add column srtp text not null default 'answered' check (srtp in ('off', 'answered', 'allowed', 'required')),
  add column dtmf text not null default 'auto' check (dtmf in ('auto', 'rfc4733', 'info', 'inband')),
  add column hears_inband boolean not null default false;
