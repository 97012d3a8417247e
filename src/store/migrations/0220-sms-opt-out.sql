-- Commercial messages that do not say how to get no more of them: what an account does about them, and which ones went out so.
alter table sms_accounts add column opt_out_missing text not null default 'off'
  check (opt_out_missing in ('off', 'append', 'refuse'));
alter table sms_messages add column lacks_opt_out boolean not null default false;
