// Queues and who answers them, in order.

import type { Changes } from "../nouns/field.ts";
import { queue } from "../nouns/queue.ts";
import type { Db } from "./db.ts";
import { usersOfTarget, whyNumberIsNotFree } from "./dial-plan.ts";
import type { SetupRefusal } from "./refusal.ts";
import { sql } from "./sql.ts";
import { updateOwn } from "./update.ts";

export type Queue = {
  id: number;
  number: string;
  name: string;
  strategy: string;
  ringSeconds: number;
  maxWaitSeconds: number;
  maxWaiting: number;
  overflowTarget: string | null;
};

export type QueueMember = { extension: string; name: string; position: number };

const columns = sql`id, number, name, strategy, ring_seconds as "ringSeconds", max_wait_seconds as "maxWaitSeconds",
  max_waiting as "maxWaiting", overflow_target as "overflowTarget"`;

export async function createQueue(
  db: Db,
  wanted: { exchangeId: number; number: string; name: string; members?: string[]; changes?: Changes<typeof queue> },
): Promise<Queue | SetupRefusal> {
  const { exchangeId, number, name, members = [], changes = {} } = wanted;
  return db.transaction(async (db) => {
    await db.query(sql`select 1 from exchanges where id = $1 for update`, [exchangeId]);
    const notFree = await whyNumberIsNotFree(db, { exchangeId, noun: "queue", number });
    if (notFree) return notFree;
    const extensionIds = await extensionIdsOf(db, exchangeId, members);
    if (!Array.isArray(extensionIds)) return extensionIds;
    const [row] = await db.query<{ id: number }>(
      sql`insert into queues (exchange_id, number, name) values ($1, $2, $3) returning id`,
      [exchangeId, number, name],
    );
    await writeMembers(db, { exchangeId, queueId: row!.id, extensionIds });
    await updateQueue(db, { exchangeId, number, changes });
    const queue = await findQueue(db, exchangeId, number);
    return queue!; // written above in this transaction
  });
}

export function listQueues(db: Db, exchangeId: number): Promise<Queue[]> {
  return db.query<Queue>(sql`select ${columns} from queues where exchange_id = $1 order by length(number), number`, [
    exchangeId,
  ]);
}

export async function findQueue(db: Db, exchangeId: number, number: string): Promise<Queue | undefined> {
  const [row] = await db.query<Queue>(sql`select ${columns} from queues where exchange_id = $1 and number = $2`, [
    exchangeId,
    number,
  ]);
  return row;
}

export function listQueueMembers(db: Db, exchangeId: number, number: string): Promise<QueueMember[]> {
  return db.query<QueueMember>(
    sql`select extensions.number as extension, extensions.name, position
     from queue_members
     join queues on queues.id = queue_id
     join extensions on extensions.id = extension_id
     where queue_members.exchange_id = $1 and queues.number = $2 order by position`,
    [exchangeId, number],
  );
}

/** The whole list anew: all of `members` become members in this order, or none of it happens. */
export async function setQueueMembers(
  db: Db,
  { exchangeId, number, members }: { exchangeId: number; number: string; members: string[] },
): Promise<SetupRefusal | undefined> {
  return db.transaction(async (db) => {
    const [queue] = await db.query<{ id: number }>(
      sql`select id from queues where exchange_id = $1 and number = $2 for update`,
      [exchangeId, number],
    );
    if (!queue) return { refused: "not-found", what: "queue", which: number };
    const extensionIds = await extensionIdsOf(db, exchangeId, members);
    if (!Array.isArray(extensionIds)) return extensionIds;
    await writeMembers(db, { exchangeId, queueId: queue.id, extensionIds });
    return undefined;
  });
}

/** By number or, since people know queues by it, by name. */
export async function queueCalled(db: Db, exchangeId: number, numberOrName: string): Promise<Queue | undefined> {
  const [row] = await db.query<Queue>(
    sql`select ${columns} from queues where exchange_id = $1 and (number = $2 or name = $2) order by number <> $2, id`,
    [exchangeId, numberOrName],
  );
  return row;
}

export type MembersChange = {
  exchangeId: number;
  number: string;
  action: "add" | "remove" | "replace";
  members: readonly string[];
};

export type MembersRefusal = { refused: "queue" | "user" | "member-already"; which: string };

/** All of it happens or nothing; the queue is locked, so that two changes at once are two changes in a row. */
export function changeQueueMembers(
  db: Db,
  { exchangeId, number, action, members }: MembersChange,
): Promise<MembersRefusal | undefined> {
  return db.transaction(async (db) => {
    const [queue] = await db.query<{ id: number }>(
      sql`select id from queues where exchange_id = $1 and number = $2 for update`,
      [exchangeId, number],
    );
    if (!queue) return { refused: "queue", which: number };
    const before = (await listQueueMembers(db, exchangeId, number)).map(({ extension }) => extension);
    const already = members.find((member) => before.includes(member));
    if (action === "add" && already !== undefined) return { refused: "member-already", which: already };
    const stranger = members.find((member) => !before.includes(member));
    if (action === "remove" && stranger !== undefined) return { refused: "user", which: stranger };
    const after = {
      add: () => [...before, ...members],
      remove: () => before.filter((member) => !members.includes(member)),
      replace: () => members,
    }[action]();
    const extensionIds = await extensionIdsOf(db, exchangeId, after);
    if (!Array.isArray(extensionIds)) return { refused: "user", which: unknownIn(extensionIds) };
    await writeMembers(db, { exchangeId, queueId: queue.id, extensionIds });
    return undefined;
  });
}

function unknownIn(refusal: SetupRefusal): string {
  return "which" in refusal ? refusal.which : "number" in refusal ? refusal.number : "";
}

export function updateQueue(
  db: Db,
  { exchangeId, number, changes }: { exchangeId: number; number: string; changes: Changes<typeof queue> },
): Promise<boolean> {
  return updateOwn(db, queue, { exchangeId, which: number, changes });
}

export async function deleteQueue(db: Db, exchangeId: number, number: string): Promise<SetupRefusal | undefined> {
  const [by] = await usersOfTarget(db, exchangeId, `queue/${number}`);
  if (by) return { refused: "in-use", what: "queue", which: number, by };
  const deleted = await db.query(sql`delete from queues where exchange_id = $1 and number = $2 returning id`, [
    exchangeId,
    number,
  ]);
  return deleted.length > 0 ? undefined : { refused: "not-found", what: "queue", which: number };
}

/** Extension numbers to ids in the same order; refused when one is unknown or stands there twice. */
export async function extensionIdsOf(
  db: Db,
  exchangeId: number,
  numbers: readonly string[],
): Promise<number[] | SetupRefusal> {
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) return { refused: "twice-in-list", number: twice };
  const rows = await db.query<{ id: number; number: string }>(
    sql`select id, number from extensions where exchange_id = $1 and number = any($2)`,
    [exchangeId, numbers],
  );
  const ids = new Map(rows.map(({ id, number }) => [number, id]));
  const unknown = numbers.find((number) => !ids.has(number));
  if (unknown !== undefined) return { refused: "not-found", what: "extension", which: unknown };
  return numbers.map((number) => ids.get(number)!); // looked up just above
}

async function writeMembers(
  db: Db,
  { exchangeId, queueId, extensionIds }: { exchangeId: number; queueId: number; extensionIds: number[] },
): Promise<void> {
  await db.query(sql`delete from queue_members where exchange_id = $1 and queue_id = $2`, [exchangeId, queueId]);
  await db.query(
    sql`insert into queue_members (exchange_id, queue_id, extension_id, position)
     select $1, $2, id, position from unnest($3::bigint[]) with ordinality as member (id, position)`,
    [exchangeId, queueId, extensionIds],
  );
}
