-- The web phone: which pages may hold it in a frame and speak with it, and when each token was given out.

-- Origins such as https://crm.example.com. With none, any https page may show the phone, and none may give it orders.
alter table exchanges add column webphone_origins text[] not null default '{}';

alter table webphone_tokens add column issued_at timestamptz not null default now();
create index webphone_tokens_by_extension on webphone_tokens (exchange_id, extension_id);
