// What is set up at an exchange, whole and by column name: as people see it who change it, and as updates name it.

import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";

export type ExtensionRow = {
  number: string;
  name: string;
  email: string | null;
  active: boolean;
  dnd: boolean;
  is_agent: boolean;
  may_supervise: boolean;
  record_calls: boolean;
  max_calls: number;
  use_webrtc: boolean;
  outbound_caller_id: string | null;
  forward_always: string | null;
  forward_busy: string | null;
  forward_no_answer: string | null;
  forward_unreachable: string | null;
  no_answer_seconds: number;
  mailbox: {
    active: boolean;
    greeting_announcement_id: number | null;
    greeting_text: string | null;
    greeting_language: string;
    max_seconds: number;
    email: string | null;
    has_pin: boolean;
  } | null;
  staff: string | null;
  queues: string[];
  groups: string[];
  unheard: number;
};

export type QueueRow = {
  number: string;
  name: string;
  strategy: string;
  ring_seconds: number;
  max_wait_seconds: number;
  max_waiting: number;
  overflow_target: string | null;
  music_announcement_id: number | null;
  waiting_announcement_id: number | null;
  agent_announcement_id: number | null;
  priority: number;
  wrap_up_seconds: number;
  most_misses: number;
  announce_seconds: number;
  language: string;
  callback_key: string | null;
  survey: boolean;
  members: string[];
};

export type GroupRow = {
  number: string;
  name: string;
  strategy: string;
  ring_seconds: number;
  no_answer_target: string | null;
  members: string[];
};

export type MenuRow = {
  number: string;
  name: string;
  welcome_announcement_id: number | null;
  key_targets: Record<string, string>;
  timeout_target: string | null;
  invalid_target: string | null;
  retries: number;
  key_seconds: number;
};

export type NumberRow = {
  number: string;
  description: string;
  target: string;
  closed_target: string | null;
  office_opens: string | null;
  office_closes: string | null;
  office_days: number[] | null;
  trunk: string | null;
};

export type TrunkRow = {
  name: string;
  host: string;
  port: number;
  transport: string;
  username: string | null;
  has_password: boolean;
  registers: boolean;
  source_addresses: string[];
  caller_id_form: string;
  codecs: string[];
  channel_limit: number | null;
  priority: number;
  health_check: boolean;
  t38: boolean;
  active: boolean;
};

export type SoundRow = { id: number; name: string; file_name: string; duration_ms: number; created_at: Date };

export type SetupRows = {
  extensions: ExtensionRow;
  queues: QueueRow;
  groups: GroupRow;
  menus: MenuRow;
  numbers: NumberRow;
  trunks: TrunkRow;
  sounds: SoundRow;
};

const statements: Record<keyof SetupRows, Sql> = {
  extensions: sql`select number, name, email, active, dnd, is_agent, may_supervise, record_calls, max_calls, use_webrtc,
      outbound_caller_id, forward_always, forward_busy, forward_no_answer, forward_unreachable, no_answer_seconds,
      (select jsonb_build_object('active', m.active, 'greeting_announcement_id', greeting_announcement_id,
          'greeting_text', greeting_text, 'greeting_language', greeting_language, 'max_seconds', max_seconds,
          'email', m.email, 'has_pin', pin is not null)
        from mailboxes m where m.extension_id = e.id) as mailbox,
      (select s.email from staff s where s.extension_id = e.id and s.active order by s.id limit 1) as staff,
      array(select q.number from queue_members qm join queues q on q.id = qm.queue_id
        where qm.extension_id = e.id order by q.number) as queues,
      array(select g.number from ring_group_members gm join ring_groups g on g.id = gm.group_id
        where gm.extension_id = e.id order by g.number) as groups,
      (select count(*) from voicemail_messages v where v.extension_id = e.id and read_stamp is null
        and deleted_at is null) as unheard
    from extensions e where exchange_id = $1 order by length(number), number`,
  queues: sql`select number, name, strategy, ring_seconds, max_wait_seconds, max_waiting, overflow_target,
      music_announcement_id, waiting_announcement_id, agent_announcement_id, priority, wrap_up_seconds, most_misses,
      announce_seconds, language, callback_key, survey,
      array(select e.number from queue_members m join extensions e on e.id = m.extension_id
        where m.queue_id = q.id order by position) as members
    from queues q where exchange_id = $1 order by length(number), number`,
  groups: sql`select number, name, strategy, ring_seconds, no_answer_target,
      array(select coalesce(e.number, external_number) from ring_group_members m
        left join extensions e on e.id = m.extension_id where m.group_id = g.id order by position) as members
    from ring_groups g where exchange_id = $1 order by length(number), number`,
  menus: sql`select number, name, welcome_announcement_id, key_targets, timeout_target, invalid_target, retries,
      key_seconds from menus where exchange_id = $1 order by length(number), number`,
  numbers: sql`select number, description, target, closed_target, to_char(office_opens, 'HH24:MI') as office_opens,
      to_char(office_closes, 'HH24:MI') as office_closes, office_days,
      (select name from trunks where trunks.id = trunk_id) as trunk
    from external_numbers where exchange_id = $1 order by number`,
  trunks: sql`select name, host, port, transport, username, coalesce(password, '') <> '' as has_password, registers,
      array(select address::text from unnest(source_addresses) as address) as source_addresses, caller_id_form, codecs,
      channel_limit, priority, health_check, t38, active from trunks where exchange_id = $1 order by priority, name`,
  sounds: sql`select id, name, file_name, duration_ms, created_at from announcements where exchange_id = $1
    order by lower(name), id`,
};

export function setupRows<Noun extends keyof SetupRows>(
  db: Db,
  noun: Noun,
  exchangeId: number,
): Promise<SetupRows[Noun][]> {
  return db.query<SetupRows[Noun]>(statements[noun], [exchangeId]);
}
