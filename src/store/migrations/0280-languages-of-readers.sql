-- In which language letters to the staff are written: a person's own if it is known, else the exchange's.
alter table exchanges add column language text not null default 'tr' check (language in ('tr', 'en'));
alter table staff add column language text check (language in ('tr', 'en'));
