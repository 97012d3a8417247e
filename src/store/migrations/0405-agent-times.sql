-- How long agents were available and how long on which break, to be told of any stretch of time by two looks for each status,
-- however many moves lie in it: each status lasts until the next one, and knows how long such ones had lasted before it.
create table agent_times (
  exchange_id bigint not null references exchanges on delete cascade,
  extension text not null,
  status text not null,
  break text not null,
  began timestamptz not null,
  -- Of the audit trail: of those of one moment the later is the last.
  line bigint not null,
  -- Null: he is at it.
  ended timestamptz,
  -- All that were like it, together.
  earlier interval not null,
  primary key (exchange_id, extension, status, break, began, line)
);
create unique index agent_times_now on agent_times (exchange_id, extension) where ended is null;

-- Out of the audit trail; of one agent, or of all.
create function count_agent_times(exchange bigint, who text) returns void language sql as $$
  delete from agent_times where exchange_id = exchange and (who is null or extension = who);
  insert into agent_times
  select exchange_id, agent, status, break, at, id, ended,
    coalesce(sum(ended - at) over (partition by exchange_id, agent, status, break order by at, id
      rows between unbounded preceding and 1 preceding), interval '0')
  from (
    select exchange_id, agent, at, id, coalesce(details ->> 'to', '') as status, coalesce(details ->> 'break', '') as break,
      lead(at) over (partition by exchange_id, agent order by at, id) as ended
    from audit_lines where exchange_id = exchange and agent is not null and (who is null or agent = who)) as moves;
$$;

create function add_agent_time() returns trigger language plpgsql as $$
declare
  last agent_times;
  said text := coalesce(new.details ->> 'to', '');
  why text := coalesce(new.details ->> 'break', '');
  before interval;
begin
  select * into last from agent_times where exchange_id = new.exchange_id and extension = new.agent and ended is null for update;
  -- A clock that was set back.
  if (new.at, new.id) < (last.began, last.line) then
    perform count_agent_times(new.exchange_id, new.agent);
    return null;
  end if;
  update agent_times set ended = new.at where exchange_id = last.exchange_id and extension = last.extension and ended is null;
  select earlier + (ended - began) into before from agent_times
    where exchange_id = new.exchange_id and extension = new.agent and status = said and break = why
    order by began desc, line desc limit 1;
  insert into agent_times values
    (new.exchange_id, new.agent, said, why, new.at, new.id, null, coalesce(before, interval '0'));
  return null;
end $$;

create trigger audit_lines_agent_times after insert on audit_lines
  for each row when (new.agent is not null and new.exchange_id is not null) execute function add_agent_time();

select count_agent_times(id, null) from exchanges;
