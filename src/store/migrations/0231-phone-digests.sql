-- Which digests a phone of an extension got in with, so that it is asked in the order it understands.

create table phone_digests (
  exchange_id bigint not null references exchanges on delete cascade,
  extension_id bigint not null,
  user_agent text not null,
  -- The place in the list of orders that challenges come in.
  challenge_order smallint not null check (challenge_order between 0 and 2),
  -- It has answered with SHA-256.
  strong boolean not null,
  seen_at timestamptz not null default now(),
  primary key (extension_id, user_agent),
  foreign key (exchange_id, extension_id) references extensions (exchange_id, id) on delete cascade
);

alter table exchanges add column md5_again boolean not null default false;
