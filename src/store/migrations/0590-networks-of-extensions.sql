-- From where an extension may register and call; empty: from everywhere.
alter table extensions add column networks cidr[] not null default '{}';
