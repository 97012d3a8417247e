-- Lists that people page through, newest first.
create index sms_campaigns_of_exchange on sms_campaigns (exchange_id, id);
