-- Which codecs phones may speak, in order: an exchange's, and an extension's own in their place.

alter table exchanges add column codecs text[] not null default '{PCMA,PCMU,G722,opus}';
alter table extensions add column codecs text[];
