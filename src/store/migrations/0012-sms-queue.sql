-- The queue has an order of its own, so that its index alone can give it: by the message's id the planner might walk through
-- everything that was ever sent. A message's expiry is its campaign's, which spares every message an index entry.

alter table sms_messages add column queue_place bigint generated always as (case when state = 'queued' then id end) stored;

drop index sms_messages_queued;
drop index sms_messages_held;
drop index sms_messages_to_expire;
create index sms_messages_queued on sms_messages (carrier_id, title_id, queue_place) where queue_place is not null;

alter table sms_campaigns add column expires_at timestamptz;
update sms_campaigns set expires_at = send_at + make_interval(mins => valid_minutes) where state <> 'cancelled';
create index sms_campaigns_to_expire on sms_campaigns (expires_at) where expires_at is not null;
