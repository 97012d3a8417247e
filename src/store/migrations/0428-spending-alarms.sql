-- When those who run an exchange are told of what it spends and calls in an hour, and how much it may spend in one.
alter table exchanges add column hourly_spending_limit numeric(12, 2);
alter table exchanges add column hourly_spending_alarm numeric(12, 2);
alter table exchanges add column extension_hourly_alarm numeric(12, 2);
alter table exchanges add column calls_at_once_alarm integer check (calls_at_once_alarm between 1 and 100000);
alter table exchanges add column extension_calls_alarm integer check (extension_calls_alarm between 1 and 1000);
alter table exchanges add column unusual_spending_alarm integer check (unusual_spending_alarm between 2 and 1000);
