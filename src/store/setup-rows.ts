// What is set up at an exchange, whole and by column name: as people see it who change it, and as updates name it.

import { extension } from "../nouns/extension.ts";
import { externalNumber } from "../nouns/external-number.ts";
import type { Row } from "../nouns/field.ts";
import { mailbox } from "../nouns/mailbox.ts";
import { menu } from "../nouns/menu.ts";
import { queue } from "../nouns/queue.ts";
import { ringGroup } from "../nouns/ring-group.ts";
import { trunk } from "../nouns/trunk.ts";
import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";
import { shownColumns } from "./update.ts";

export type ExtensionRow = { number: string } & Row<typeof extension> & {
    mailbox: Row<typeof mailbox> | null;
    staff: string | null;
    queues: string[];
    groups: string[];
    unheard: number;
  };

export type QueueRow = { number: string; members: string[] } & Row<typeof queue>;
export type GroupRow = { number: string; members: string[] } & Row<typeof ringGroup>;
export type MenuRow = { number: string } & Row<typeof menu>;
export type NumberRow = { number: string } & Row<typeof externalNumber>;
export type TrunkRow = { name: string } & Row<typeof trunk>;
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
  extensions: sql`select number, ${shownColumns(extension)},
      (select to_jsonb(mailbox) from (select ${shownColumns(mailbox)} from mailboxes where extension_id = e.id) mailbox)
        as mailbox,
      (select s.email from staff s where s.extension_id = e.id and s.active order by s.id limit 1) as staff,
      array(select q.number from queue_members qm join queues q on q.id = qm.queue_id
        where qm.extension_id = e.id order by q.number) as queues,
      array(select g.number from ring_group_members gm join ring_groups g on g.id = gm.group_id
        where gm.extension_id = e.id order by g.number) as groups,
      (select count(*) from voicemail_messages v where v.extension_id = e.id and read_stamp is null
        and deleted_at is null) as unheard
    from extensions e where exchange_id = $1 order by length(number), number`,
  queues: sql`select number, ${shownColumns(queue)},
      array(select e.number from queue_members m join extensions e on e.id = m.extension_id
        where m.queue_id = q.id order by position) as members
    from queues q where exchange_id = $1 order by length(number), number`,
  groups: sql`select number, ${shownColumns(ringGroup)},
      array(select coalesce(e.number, external_number) from ring_group_members m
        left join extensions e on e.id = m.extension_id where m.group_id = g.id order by position) as members
    from ring_groups g where exchange_id = $1 order by length(number), number`,
  menus: sql`select number, ${shownColumns(menu)} from menus where exchange_id = $1 order by length(number), number`,
  numbers: sql`select number, ${shownColumns(externalNumber)} from external_numbers where exchange_id = $1
    order by number`,
  trunks: sql`select name, ${shownColumns(trunk)} from trunks where exchange_id = $1 order by priority, name`,
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
