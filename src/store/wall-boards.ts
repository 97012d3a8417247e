// Boards for a screen on the wall, and their links. As with keys, only the hash of a link's token is kept.

import { createHash, randomBytes } from "node:crypto";
import type { Changes, Row } from "../nouns/field.ts";
import { wallBoard } from "../nouns/wall-board.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { sql } from "./sql.ts";
import { shownColumns, updateOwn } from "./update.ts";

export type WallBoard = Row<typeof wallBoard> & { id: number };

export type ListedBoard = WallBoard & { linkedAt: Date | null };

/** One that was opened by its link. */
export type LinkedBoard = WallBoard & { exchangeId: number; timeZone: string; tokenHash: Buffer };

/** What a token looks like: whatever does not is not looked for. */
const TOKEN = /^B[\w-]{43}$/;
const MOST_BOARDS = 200;

export function listWallBoards(db: Db, exchangeId: number): Promise<ListedBoard[]> {
  return db.query<ListedBoard>(
    sql`select id, ${shownColumns(wallBoard)}, token_made_at as "linkedAt" from wall_boards where exchange_id = $1
     order by lower(name), id`,
    [exchangeId],
  );
}

export function createWallBoard(
  db: Db,
  { exchangeId, changes }: { exchangeId: number; changes: Changes<typeof wallBoard> & { name: string } },
): Promise<{ id: number } | SetupRefusal> {
  const { name, ...others } = changes;
  return unlessTaken(db, { refused: "name-taken", what: "wall board", name }, async (db) => {
    // One after the other, so that the most is the most.
    await db.query(sql`select 1 from exchanges where id = $1 for update`, [exchangeId]);
    const [row] = await db.query<{ id: number }>(
      sql`insert into wall_boards (exchange_id, name) select $1, $2
       where (select count(*) from wall_boards where exchange_id = $1) < $3 returning id`,
      [exchangeId, name, MOST_BOARDS],
    );
    if (!row) return { refused: "most-reached", what: "wall board", most: MOST_BOARDS };
    await updateOwn(db, wallBoard, { exchangeId, which: row.id, changes: others });
    return row;
  });
}

/** What it shows, as nobody changes it until the work is done that asks; undefined when there is no such board. */
export async function queuesOfBoard(db: Db, exchangeId: number, id: number): Promise<readonly string[] | undefined> {
  const [row] = await db.query<Pick<WallBoard, "queues">>(
    sql`select queues from wall_boards where exchange_id = $1 and id = $2 for update`,
    [exchangeId, id],
  );
  return row?.queues;
}

/** False when there is no such board. */
export async function updateWallBoard(
  db: Db,
  { exchangeId, id, changes }: { exchangeId: number; id: number; changes: Changes<typeof wallBoard> },
): Promise<boolean | SetupRefusal> {
  const taken = { refused: "name-taken", what: "wall board", name: changes.name ?? "" } as const;
  return unlessTaken(db, taken, (db) => updateOwn(db, wallBoard, { exchangeId, which: id, changes }));
}

export async function deleteWallBoard(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const gone = await db.query(sql`delete from wall_boards where exchange_id = $1 and id = $2 returning id`, [
    exchangeId,
    id,
  ]);
  return gone.length > 0;
}

/** The only time that it is known; whatever link there was opens nothing from the commit on. */
export async function renewWallLink(
  db: Db,
  { exchangeId, id, nowMs }: { exchangeId: number; id: number; nowMs: number },
): Promise<string | undefined> {
  const token = `B${randomBytes(32).toString("base64url")}`;
  const changed = await db.query(
    sql`update wall_boards set token_hash = $3, token_made_at = $4 where exchange_id = $1 and id = $2 returning id`,
    [exchangeId, id, hashOf(token), new Date(nowMs)],
  );
  return changed.length > 0 ? token : undefined;
}

/** False when there was none. */
export async function dropWallLink(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const changed = await db.query(
    sql`update wall_boards set token_hash = null, token_made_at = null
     where exchange_id = $1 and id = $2 and token_hash is not null returning id`,
    [exchangeId, id],
  );
  return changed.length > 0;
}

/** By the hashes of their tokens: those of which the link is still good. */
export function boardsOfLinks(db: Db, hashes: readonly Buffer[]): Promise<LinkedBoard[]> {
  return db.query<LinkedBoard>(
    sql`select b.id, ${shownColumns(wallBoard)}, b.exchange_id as "exchangeId", b.token_hash as "tokenHash",
       (select time_zone from exchanges x where x.id = b.exchange_id) as "timeZone"
     from wall_boards b where token_hash = any ($1::bytea[])`,
    [hashes],
  );
}

export async function boardOfLink(db: Db, token: string): Promise<LinkedBoard | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [board] = await boardsOfLinks(db, [hashOf(token)]);
  return board;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
