-- Whether faxes over this trunk may go as data (T.38); otherwise they go as sound, for carriers that only pretend to know it.
alter table trunks add column t38 boolean not null default true;
