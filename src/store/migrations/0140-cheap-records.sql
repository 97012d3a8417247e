-- The legs and the story of a call are written by the statement that writes its record, so nothing is gained by looking
-- for the record again with each row. What a foreign key did when a record goes, a trigger does.
alter table cdr_legs drop constraint cdr_legs_call_uuid_fkey;
alter table call_stories drop constraint call_stories_call_uuid_fkey;

create function forget_call_parts() returns trigger language plpgsql as $$
begin
  delete from cdr_legs using gone where cdr_legs.call_uuid = gone.call_uuid;
  delete from call_stories using gone where call_stories.call_uuid = gone.call_uuid;
  return null;
end $$;

create trigger cdrs_gone after delete on cdrs
  referencing old table as gone for each statement execute function forget_call_parts();

-- Facts are kept as they were written and read as a whole: nobody asks the database what is in them.
alter table live_calls alter column facts type json using facts::json;
