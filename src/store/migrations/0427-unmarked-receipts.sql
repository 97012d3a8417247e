-- Whether a carrier's receipts are known by their words alone: a handset can write those as well, so it has to be said.
alter table sms_carriers add column unmarked_receipts boolean not null default false;
