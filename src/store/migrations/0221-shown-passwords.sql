-- Providers who set phones up by the interface may have SIP passwords shown there: those made while the exchange allows it.
alter table exchanges add column show_sip_passwords boolean not null default false;
alter table extensions add column shown_password text;
