-- Which queue or ring group brought a call to each extension that talked in it, and how long its caller waited there, as
-- [{"extension", "queue", "waitSeconds"}]: the record names only the last of them. Calls of before, and those that came to none,
-- have null.
alter table cdrs add column brought jsonb;
