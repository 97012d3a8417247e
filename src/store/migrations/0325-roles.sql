-- Roles beside the first three, two rights that an account is given or denied whatever its role says, and the queues
-- that a supervisor leads.
alter table staff drop constraint staff_role_check;
alter table staff add constraint staff_role_check check (role in
  ('administrator', 'supervisor', 'agent', 'viewer', 'accountant', 'standard', 'read-only'));
alter table staff
  add column recordings text check (recordings in ('yes', 'no')),
  add column exports text check (exports in ('yes', 'no')),
  add unique (exchange_id, id);

create table staff_queues (
  exchange_id bigint not null,
  staff_id bigint not null,
  queue_id bigint not null,
  primary key (staff_id, queue_id),
  foreign key (exchange_id, staff_id) references staff (exchange_id, id) on delete cascade,
  foreign key (exchange_id, queue_id) references queues (exchange_id, id) on delete cascade
);
create index staff_queues_of_queue on staff_queues (exchange_id, queue_id);

-- Whose calls somebody sees is looked for by everybody who was part of one.
create index cdrs_by_connected on cdrs (exchange_id, connected_user, start_stamp desc) where connected_user <> '';
create index cdrs_by_dialed on cdrs (exchange_id, dialed_user, start_stamp desc) where dialed_user <> '';
create index cdrs_by_queue on cdrs (exchange_id, queue, start_stamp desc) where queue is not null;
create index cdr_legs_by_destination on cdr_legs (destination_number);
