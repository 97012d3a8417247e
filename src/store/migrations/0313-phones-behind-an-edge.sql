-- A phone behind a proxy of ours: who it is to the proxy, beside where the proxy's packets come from.
alter table registrations
  add column client_address text,
  add column client_port integer;
