-- Whether the lamps on an extension's phone tell who is on a colleague's line, or only that somebody is.
alter table extensions add column sees_callers boolean not null default true;
