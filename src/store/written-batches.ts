// Which batch of a stream was written last: noted in the transaction that writes it, so that none is written twice.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** A stream that is opened again begins a new life; within one, batches count up. */
export type WrittenBatch = { life: string; batch: number };

export async function lastBatch(db: Db, stream: string): Promise<WrittenBatch | undefined> {
  const [last] = await db.query<WrittenBatch>(sql`select life, batch from written_batches where stream = $1`, [stream]);
  return last;
}

/**
 * First in the transaction that writes a batch. False: another was written last than `after`, and nothing may be built on
 * that. Who comes while somebody else is at it waits for the outcome.
 */
export async function noteBatch(
  db: Db,
  stream: string,
  { after, now }: { after: WrittenBatch | undefined; now: WrittenBatch },
): Promise<boolean> {
  const noted = after
    ? await db.query(
        sql`update written_batches set life = $2, batch = $3 where stream = $1 and life = $4 and batch = $5 returning 1`,
        [stream, now.life, now.batch, after.life, after.batch],
      )
    : await db.query(
        sql`insert into written_batches (stream, life, batch) values ($1, $2, $3)
         on conflict (stream) do nothing returning 1`,
        [stream, now.life, now.batch],
      );
  return noted.length > 0;
}
