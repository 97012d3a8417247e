-- Whoever runs an SMS account is told once when its credits come down to a number of his choice, and again after they rose.
alter table sms_accounts
  add column low_credits integer check (low_credits between 1 and 100000000),
  add column low_credits_phone text,
  add column low_credits_told_at timestamptz;
