-- The record of somebody who listened to another call: on the wire a call like any other, and none to people who count.
alter table cdrs add listening boolean not null default false;

-- Lists of calls leave them out, and are still counted in the index alone.
drop index cdrs_newest_first;
create index cdrs_newest_first on cdrs (exchange_id, start_stamp desc, id desc) include (listening);
drop index cdrs_by_kind;
create index cdrs_by_kind on cdrs (exchange_id, direction, missed, start_stamp desc) include (listening);
