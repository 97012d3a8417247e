-- A line of the audit trail says who and what as values; the words are made where somebody reads it.
-- What is no sentence of this table stays as it was written.

alter table audit_lines add column doer text not null default 'staff'
  check (doer in ('staff', 'extension', 'web phone', 'command line', 'queue', 'exchange', 'start'));
alter table audit_lines alter column doer drop default;

update audit_lines set
  doer = case
    when who = 'the queue' then 'queue'
    when who = 'the exchange' then 'exchange'
    when who = 'santral start' then 'start'
    when who like 'command line%' then 'command line'
    when who like 'web phone of extension %' then 'web phone'
    else 'extension'
  end,
  who = case
    when who like 'command line%' then coalesce(substring(who from '^command line \((.*)\)$'), '')
    when who ~ 'extension ' then substring(who from 'extension (.*)$')
    else ''
  end
where who in ('the queue', 'the exchange', 'santral start')
  or who like 'command line%' or who like 'web phone of extension %' or who like 'extension %';

update audit_lines set did = known.did from (values
  ('signed in to the console', 'session.signIn'),
  ('hung up a call', 'calls.hangUp'),
  ('transferred a call', 'calls.transfer'),
  ('began a call', 'calls.begin'),
  ('asked to supervise an extension', 'calls.supervise'),
  ('made a contact', 'contacts.create'),
  ('changed a contact', 'contacts.update'),
  ('deleted a contact', 'contacts.delete'),
  ('imported contacts', 'contacts.import'),
  ('made a group of contacts', 'contactGroups.create'),
  ('renamed a group of contacts', 'contactGroups.rename'),
  ('deleted a group of contacts', 'contactGroups.delete'),
  ('made an extension', 'extensions.create'),
  ('changed an extension', 'extensions.update'),
  ('switched do-not-disturb', 'extensions.setDnd'),
  ('gave an extension a new SIP password', 'extensions.newPassword'),
  ('opened an extension''s web phone', 'extensions.openWebphone'),
  ('deleted an extension', 'extensions.delete'),
  ('changed a mailbox', 'mailboxes.update'),
  ('made an external number', 'numbers.create'),
  ('changed an external number', 'numbers.update'),
  ('deleted an external number', 'numbers.delete'),
  ('made a holiday', 'holidays.create'),
  ('deleted a holiday', 'holidays.delete'),
  ('made a trunk', 'trunks.create'),
  ('changed a trunk', 'trunks.update'),
  ('deleted a trunk', 'trunks.delete'),
  ('sent messages', 'sms.send'),
  ('cancelled a scheduled campaign', 'sms.cancel'),
  ('made a sender title', 'sms.createTitle'),
  ('put numbers on the message blacklist', 'sms.addToBlacklist'),
  ('took a number off the message blacklist', 'sms.removeFromBlacklist'),
  ('handed in consents', 'sms.uploadConsents'),
  ('changed the SMS account', 'sms.updateAccount'),
  ('renewed the SMS password', 'sms.renewPassword'),
  ('began a campaign', 'campaigns.create'),
  ('switched a campaign', 'campaigns.switch'),
  ('deleted a campaign', 'campaigns.delete'),
  ('sent a fax', 'faxes.send'),
  ('blocked a number', 'blocked.add'),
  ('unblocked a number', 'blocked.remove'),
  ('marked a message as heard', 'voicemail.markRead'),
  ('deleted a message', 'voicemail.delete'),
  ('made a queue', 'queues.create'),
  ('changed a queue', 'queues.update'),
  ('deleted a queue', 'queues.delete'),
  ('changed an agent''s status', 'agents.move'),
  ('made a ring group', 'groups.create'),
  ('changed a ring group', 'groups.update'),
  ('deleted a ring group', 'groups.delete'),
  ('made a menu', 'menus.create'),
  ('changed a menu', 'menus.update'),
  ('deleted a menu', 'menus.delete'),
  ('made an outbound rule', 'rules.create'),
  ('changed an outbound rule', 'rules.update'),
  ('moved an outbound rule', 'rules.move'),
  ('deleted an outbound rule', 'rules.delete'),
  ('changed their own password', 'session.changePassword'),
  ('ended one of their sessions', 'session.end'),
  ('opened their web phone', 'webphone.open'),
  ('switched a second factor on', 'totp.confirm'),
  ('switched their second factor off', 'totp.drop'),
  ('changed the exchange''s settings', 'settings.update'),
  ('changed the call events', 'crm.update'),
  ('sent a test event', 'crm.test'),
  ('looked at the secret that signs call events', 'crm.secret'),
  ('delivered an event once more', 'deliveries.again'),
  ('made an API key', 'keys.create'),
  ('revoked an API key', 'keys.revoke'),
  ('uploaded an announcement', 'sounds.upload'),
  ('had an announcement spoken', 'sounds.speak'),
  ('changed an announcement', 'sounds.update'),
  ('deleted an announcement', 'sounds.delete'),
  ('made a staff account', 'staff.create'),
  ('changed a staff account', 'staff.update'),
  ('gave a staff account a new password', 'staff.resetPassword'),
  ('took a staff account''s second factor away', 'staff.resetTotp'),
  ('ended the sessions of a staff account', 'staff.endSessions'),
  ('deleted a staff account', 'staff.delete'),
  ('made the demo exchange of the first run', 'demo-made')
) as known (sentence, did) where audit_lines.did = known.sentence;

update audit_lines set did = 'agent-moved', details = details || jsonb_build_object(
    'extension', substring(did from '^agent (\S+):'),
    'from', substring(did from ': ([A-Z_]+) to '),
    'to', substring(did from ' to ([A-Z_]+)$'))
where did ~ '^agent \S+: [A-Z_]+ to [A-Z_]+$';

update audit_lines set did = 'call-supervised', details = jsonb_build_object(
    'extension', substring(did from 'extension (\S+) '),
    'mode', substring(did from '\((\w+)\), call '),
    'call', substring(did from ', call (.*)$'))
where did ~ '^supervises extension \S+ \(\w+\), call ';

update audit_lines set did = 'supervision-refused', details = jsonb_build_object(
    'extension', substring(did from 'extension (\S+) '), 'mode', substring(did from '\((\w+)\)$'))
where did ~ '^was refused to supervise extension \S+ \(\w+\)$';

update audit_lines set did = 'spending-limit-reached', details = jsonb_build_object(
    'limit', substring(did from '^the spending limit of (\S+) is reached'), 'month', substring(did from ' in (\S+)$'))
where did ~ '^the spending limit of \S+ is reached: no more calls to the outside in \S+$';

update audit_lines set did = 'command', details = jsonb_build_object('command', did)
where doer = 'command line' and did like 'santral %';
