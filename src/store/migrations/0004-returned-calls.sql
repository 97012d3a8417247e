-- Who a call was with, in one form however the number was shown: the outside number, or both extensions of an
-- internal call in order. Calls with the same peer return one another.
alter table cdrs add column peer text not null default '';
drop index cdrs_not_returned;
create index cdrs_not_returned on cdrs (exchange_id, peer, start_stamp)
  where missed and return_uuid is null and peer <> '';

-- Why each call went the way it did, in sentences.
create table call_stories (
  call_uuid uuid primary key references cdrs (call_uuid) on delete cascade,
  story jsonb not null
);
