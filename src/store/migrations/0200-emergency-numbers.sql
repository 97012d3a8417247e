-- Numbers that call for help. Nothing bars a call to one of them; 112 is one whatever stands here. The others are those
-- that 112 has taken over in Türkiye and that people still know.
alter table exchanges add column emergency_numbers text[] not null default '{112,110,122,155,156,158,177}'
  check (array_to_string(emergency_numbers, ',') ~ '^([0-9]{3,6}(,[0-9]{3,6}){0,19})?$');

-- Who has a colleague at 155 goes on calling him there.
update exchanges set emergency_numbers = array(
  select number from unnest(emergency_numbers) with ordinality as known (number, place)
  where number = '112' or not exists (
    select from extensions where exchange_id = exchanges.id and extensions.number = known.number
    union all select from queues where exchange_id = exchanges.id and queues.number = known.number
    union all select from ring_groups where exchange_id = exchanges.id and ring_groups.number = known.number
    union all select from menus where exchange_id = exchanges.id and menus.number = known.number)
  order by place);
