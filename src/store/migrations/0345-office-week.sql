-- Office hours by weekday, several stretches a day: '1 08:00-12:00' is Monday morning. Closing before opening means past
-- midnight, the same time twice around the clock. A number without any keeps the hours of its exchange.
create function is_office_week(week text[]) returns boolean language sql immutable as $$
  select coalesce(bool_and(line ~ '^[1-7] ([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$'), true)
  from unnest(week) as line
$$;

alter table exchanges
  add column office_hours text[] check (is_office_week(office_hours)),
  add column office_switch text not null default 'hours' check (office_switch in ('hours', 'open', 'closed')),
  add column office_by_phone boolean not null default false;
alter table external_numbers add column office_hours text[] check (is_office_week(office_hours));
comment on column exchanges.office_switch is 'by hand: open or closed until somebody says otherwise';

-- One stretch on each of some days, as it was said before there were weeks, and as servers that are not upgraded yet
-- and the command line still say it. Whichever of the two is written, the other follows.
create function week_of(opens time, closes time, days integer[]) returns text[] language sql immutable as $$
  select coalesce(array_agg(day || ' ' || to_char(opens, 'HH24:MI') || '-' || to_char(closes, 'HH24:MI') order by day), '{}')
  from unnest(days) as day
$$;

create function keep_office_hours() returns trigger language plpgsql as $$
declare
  said_by_week boolean := new.office_hours is not null;
  said_by_times boolean := new.office_hours is null;
begin
  if tg_op = 'UPDATE' then
    said_by_week := new.office_hours is distinct from old.office_hours;
    said_by_times := not said_by_week and (new.office_opens, new.office_closes, new.office_days)
      is distinct from (old.office_opens, old.office_closes, old.office_days);
  end if;
  if said_by_times then new.office_hours := week_of(new.office_opens, new.office_closes, new.office_days);
  elsif said_by_week then
    select coalesce(min(substr(line, 3, 5)::time), new.office_opens), coalesce(max(substr(line, 9, 5)::time), new.office_closes),
      coalesce(array_agg(distinct left(line, 1)::integer), '{}')
    into new.office_opens, new.office_closes, new.office_days from unnest(new.office_hours) as line;
  end if;
  return new;
end $$;

create function keep_number_hours() returns trigger language plpgsql as $$
declare
  said_by_week boolean := new.office_hours is not null;
  said_by_times boolean := new.office_hours is null;
begin
  if tg_op = 'UPDATE' then
    said_by_week := new.office_hours is distinct from old.office_hours;
    said_by_times := not said_by_week and (new.office_opens, new.office_closes, new.office_days)
      is distinct from (old.office_opens, old.office_closes, old.office_days);
  end if;
  if said_by_times then
    if new.office_opens is null and new.office_closes is null and new.office_days is null then new.office_hours := null;
    else
      select week_of(coalesce(new.office_opens, office_opens), coalesce(new.office_closes, office_closes),
        coalesce(new.office_days, office_days))
      into new.office_hours from exchanges where id = new.exchange_id;
    end if;
  elsif said_by_week then
    select min(substr(line, 3, 5)::time), max(substr(line, 9, 5)::time), array_agg(distinct left(line, 1)::integer)
    into new.office_opens, new.office_closes, new.office_days from unnest(new.office_hours) as line;
  end if;
  return new;
end $$;

create trigger exchanges_keep_hours before insert or update on exchanges for each row execute function keep_office_hours();
create trigger numbers_keep_hours before insert or update on external_numbers
  for each row execute function keep_number_hours();

update exchanges set office_hours = week_of(office_opens, office_closes, office_days);
update external_numbers n set office_hours = week_of(coalesce(n.office_opens, x.office_opens),
    coalesce(n.office_closes, x.office_closes), coalesce(n.office_days, x.office_days))
  from exchanges x where x.id = n.exchange_id and num_nonnulls(n.office_opens, n.office_closes, n.office_days) > 0;

-- A holiday may last for several days.
alter table holidays add column last_day date check (last_day >= day);
comment on column holidays.last_day is 'null: it is over with its first day';
