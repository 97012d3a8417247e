-- Whether a phone has said that it picks up when told to (talk in Allow-Events).
alter table registrations add column takes_talk boolean not null default false;
