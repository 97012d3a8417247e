-- From where phones of an extension got in by MD5, so that those few go on once another phone of it has answered SHA-256.

create table md5_phones (
  exchange_id bigint not null references exchanges on delete cascade,
  extension_id bigint not null,
  -- The phone by its own name (+sip.instance), or the address that it came from; nothing: from anywhere, for a while.
  place text not null,
  user_agent text not null,
  seen_at timestamptz not null default now(),
  primary key (extension_id, place, user_agent),
  foreign key (exchange_id, extension_id) references extensions (exchange_id, id) on delete cascade
);

-- Whoever is registered now, and has not used SHA-256, goes on as he is.
insert into md5_phones (exchange_id, extension_id, place, user_agent)
select distinct r.exchange_id, r.extension_id, known.place, known.user_agent
from registrations r cross join lateral (values
  (coalesce(r.client_address, r.source_address), r.user_agent),
  ('instance ' || regexp_replace(r.key, ';[0-9]{1,10}$', ''), '')) as known (place, user_agent)
where (known.place not like 'instance %' or (r.key ~ ';[0-9]{1,10}$' and r.key !~* '^sips?:'))
  and not exists (select from phone_digests p
    where p.extension_id = r.extension_id and p.strong and left(p.user_agent, 120) = r.user_agent);

-- So does who is switched off just now, if it says who it is and comes back within a month.
insert into md5_phones (exchange_id, extension_id, place, user_agent)
select distinct exchange_id, extension_id, '', left(user_agent, 120) from phone_digests where not strong and user_agent <> '';
