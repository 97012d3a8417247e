// Ring groups: extensions and outside numbers that ring for one number.

import type { Changes } from "../nouns/field.ts";
import { ringGroup } from "../nouns/ring-group.ts";
import type { Db } from "./db.ts";
import { usersOfTarget, whyNumberIsNotFree } from "./dial-plan.ts";
import { extensionIdsOf } from "./queues.ts";
import type { SetupRefusal } from "./refusal.ts";
import { sql } from "./sql.ts";
import { updateOwn } from "./update.ts";

export type RingGroup = {
  id: number;
  number: string;
  name: string;
  strategy: string;
  ringSeconds: number;
  noAnswerTarget: string | null;
  followsForwards: boolean;
};

/** An extension of the exchange, or a number outside it. */
export type RingGroupMember = { extension: string } | { external: string };

const columns = sql`id, number, name, strategy, ring_seconds as "ringSeconds", no_answer_target as "noAnswerTarget",
  follows_forwards as "followsForwards"`;

export async function createRingGroup(
  db: Db,
  wanted: {
    exchangeId: number;
    number: string;
    name: string;
    members?: RingGroupMember[];
    changes?: Changes<typeof ringGroup>;
  },
): Promise<RingGroup | SetupRefusal> {
  const { exchangeId, number, name, members = [], changes = {} } = wanted;
  return db.transaction(async (db) => {
    await db.query(sql`select 1 from exchanges where id = $1 for update`, [exchangeId]);
    const notFree = await whyNumberIsNotFree(db, { exchangeId, noun: "group", number });
    if (notFree) return notFree;
    const known = await extensionIdsOf(db, exchangeId, extensionsAmong(members));
    if (!Array.isArray(known)) return known;
    const [row] = await db.query<{ id: number }>(
      sql`insert into ring_groups (exchange_id, number, name) values ($1, $2, $3) returning id`,
      [exchangeId, number, name],
    );
    await writeMembers(db, { exchangeId, groupId: row!.id, members });
    await updateRingGroup(db, { exchangeId, number, changes });
    const group = await findRingGroup(db, exchangeId, number);
    return group!; // written above in this transaction
  });
}

export function listRingGroups(db: Db, exchangeId: number): Promise<RingGroup[]> {
  return db.query<RingGroup>(
    sql`select ${columns} from ring_groups where exchange_id = $1 order by length(number), number`,
    [exchangeId],
  );
}

export async function findRingGroup(db: Db, exchangeId: number, number: string): Promise<RingGroup | undefined> {
  const [row] = await db.query<RingGroup>(
    sql`select ${columns} from ring_groups where exchange_id = $1 and number = $2`,
    [exchangeId, number],
  );
  return row;
}

export async function listRingGroupMembers(db: Db, exchangeId: number, number: string): Promise<RingGroupMember[]> {
  const rows = await db.query<{ extension: string | null; external: string }>(
    sql`select extensions.number as extension, external_number as external
     from ring_group_members
     join ring_groups on ring_groups.id = group_id
     left join extensions on extensions.id = extension_id
     where ring_group_members.exchange_id = $1 and ring_groups.number = $2 order by position`,
    [exchangeId, number],
  );
  return rows.map(({ extension, external }) => (extension === null ? { external } : { extension }));
}

export async function setRingGroupMembers(
  db: Db,
  { exchangeId, number, members }: { exchangeId: number; number: string; members: RingGroupMember[] },
): Promise<SetupRefusal | undefined> {
  return db.transaction(async (db) => {
    const [group] = await db.query<{ id: number }>(
      sql`select id from ring_groups where exchange_id = $1 and number = $2 for update`,
      [exchangeId, number],
    );
    if (!group) return { refused: "not-found", what: "group", which: number };
    const known = await extensionIdsOf(db, exchangeId, extensionsAmong(members));
    if (!Array.isArray(known)) return known;
    await writeMembers(db, { exchangeId, groupId: group.id, members });
    return undefined;
  });
}

export function updateRingGroup(
  db: Db,
  { exchangeId, number, changes }: { exchangeId: number; number: string; changes: Changes<typeof ringGroup> },
): Promise<boolean> {
  return updateOwn(db, ringGroup, { exchangeId, which: number, changes });
}

export async function deleteRingGroup(db: Db, exchangeId: number, number: string): Promise<SetupRefusal | undefined> {
  const [by] = await usersOfTarget(db, exchangeId, `group/${number}`);
  if (by) return { refused: "in-use", what: "group", which: number, by };
  const deleted = await db.query(sql`delete from ring_groups where exchange_id = $1 and number = $2 returning id`, [
    exchangeId,
    number,
  ]);
  return deleted.length > 0 ? undefined : { refused: "not-found", what: "group", which: number };
}

function extensionsAmong(members: readonly RingGroupMember[]): string[] {
  return members.flatMap((member) => ("extension" in member ? member.extension : []));
}

async function writeMembers(
  db: Db,
  { exchangeId, groupId, members }: { exchangeId: number; groupId: number; members: RingGroupMember[] },
): Promise<void> {
  await db.query(sql`delete from ring_group_members where exchange_id = $1 and group_id = $2`, [exchangeId, groupId]);
  await db.query(
    sql`insert into ring_group_members (exchange_id, group_id, position, extension_id, external_number)
     select $1, $2, position, extensions.id, external
     from unnest($3::text[], $4::text[]) with ordinality as member (extension, external, position)
     left join extensions on extensions.exchange_id = $1 and extensions.number = member.extension`,
    [
      exchangeId,
      groupId,
      members.map((member) => ("extension" in member ? member.extension : null)),
      members.map((member) => ("external" in member ? member.external : null)),
    ],
  );
}
