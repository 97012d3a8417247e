-- Where the voice of a carrier may be, when that is elsewhere than its SIP: it goes there before any has come from there.
alter table trunks add column media_networks cidr[] not null default '{}';

-- What the operator has approved of a trunk's may be such a network, too. No call comes in from there by that.
alter table trunk_approvals add column media cidr;
alter table trunk_approvals drop constraint trunk_approvals_check;
alter table trunk_approvals add check (num_nonnulls(network, host, media) = 1);
alter table trunk_approvals add unique (trunk_id, media);
