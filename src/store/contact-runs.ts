// One run of a source of contacts, as the database sees it: how it begins, what is known, and how it ends.

import type { contactSource } from "../nouns/contact-source.ts";
import type { Row } from "../nouns/field.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { mayWrite, type Run } from "./contact-pages.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** What a server gave us for next time. Nobody but the reader of that kind of source knows what it means. */
export type Memory = Readonly<Record<string, string>>;

export type RunningSource = Pick<
  Row<typeof contactSource>,
  "kind" | "url" | "address_book" | "username" | "columns" | "every_minutes"
> & {
  name: string;
  /** Undefined: there is one, and it cannot be opened. */
  password: string | null | undefined;
  memory: Memory;
  failures: number;
};

export async function beginRun(
  db: Db,
  { open }: Pick<Secrets, "open">,
  { exchangeId, sourceId, run }: Run,
): Promise<RunningSource | undefined> {
  const [row] = await db.query<RunningSource & { password: string | null }>(
    sql`update contact_sources set run = $3 where exchange_id = $1 and id = $2 and active
     returning name, kind, url, address_book, username, password, columns, every_minutes, memory, failures`,
    [exchangeId, sourceId, run],
  );
  if (!row?.password) return row;
  const opened = open({ kind: "contact_sources.password", exchangeId, row: sourceId }, row.password);
  return { ...row, password: typeof opened === "string" ? opened : undefined };
}

/** The password of a source as it is kept, for whoever tries it out before it is changed. */
export async function sourcePassword(
  db: Db,
  { open }: Pick<Secrets, "open">,
  { exchangeId, name }: { exchangeId: number; name: string },
): Promise<string | null> {
  const [row] = await db.query<{ id: number; password: string | null }>(
    sql`select id, password from contact_sources where exchange_id = $1 and name = $2`,
    [exchangeId, name],
  );
  const opened = row?.password && open({ kind: "contact_sources.password", exchangeId, row: row.id }, row.password);
  return typeof opened === "string" ? opened : null;
}

/** What we have of a source: the marks of its contacts, and of what could not be one. */
export type Known = { contacts: ReadonlyMap<string, string>; faults: ReadonlyMap<string, string> };

export async function readKnown(db: Db, { exchangeId, sourceId }: Run): Promise<Known> {
  const [contacts, faults] = await Promise.all([
    db.query<[string, string]>(
      sql`select foreign_id as "0", foreign_mark as "1" from contacts where exchange_id = $1 and source_id = $2`,
      [exchangeId, sourceId],
    ),
    db.query<[string, string]>(
      sql`select foreign_id as "0", mark as "1" from contact_source_faults where exchange_id = $1 and source_id = $2`,
      [exchangeId, sourceId],
    ),
  ]);
  const asMap = (rows: [string, string][]) => new Map(rows.map(({ 0: id, 1: mark }) => [id, mark] as const));
  return { contacts: asMap(contacts), faults: asMap(faults) };
}

/** `gone` is not there any more, `unreadable` was a contact and cannot be one any more. */
export type Ending = {
  gone: readonly string[];
  unreadable: readonly string[];
  /** How many contacts there were when the run began. */
  before: number;
  added: number;
  changed: number;
  memory: Memory;
  at: Date;
  nextAt: Date;
};

export type Ended = { removed: number; held: number; isNews: boolean };

/**
 * What has gone is removed, unless that is more than half of what there was and nobody has agreed to it. Then it stays,
 * and so does what we remember of the source, so that the next run finds the same.
 */
export function finishRun(db: Db, run: Run, ending: Ending): Promise<Ended | undefined> {
  const { exchangeId, sourceId } = run;
  return db.transaction(async (db) => {
    if (!(await mayWrite(db, run))) return undefined;
    const vanished = [...ending.gone, ...ending.unreadable];
    const [count] = await db.query<{ vanishing: number; confirmed: number; heldBefore: number }>(
      sql`select count(c.id) as vanishing, s.confirmed_removals as confirmed, s.held_removals as "heldBefore"
       from contact_sources s left join contacts c
         on c.exchange_id = $1 and c.source_id = s.id and c.foreign_id = any($3)
       where s.exchange_id = $1 and s.id = $2 group by s.id`,
      [exchangeId, sourceId, vanished],
    );
    const { vanishing, confirmed, heldBefore } = count!; // the row is locked above
    const isHeld = vanishing * 2 > ending.before && vanishing > confirmed;
    if (!isHeld && vanished.length > 0)
      await db.query(sql`delete from contacts where exchange_id = $1 and source_id = $2 and foreign_id = any($3)`, [
        exchangeId,
        sourceId,
        vanished,
      ]);
    await db.query(
      sql`delete from contact_source_faults where exchange_id = $1 and source_id = $2 and foreign_id = any($3)`,
      [exchangeId, sourceId, ending.gone],
    );
    const [removed, held] = isHeld ? [0, vanishing] : [vanishing, 0];
    await noteEnding(db, run, { ...ending, removed, held });
    return { removed, held, isNews: held > 0 && held !== heldBefore };
  });
}

async function noteEnding(
  db: Db,
  { exchangeId, sourceId }: Run,
  { added, changed, removed, held, memory, at, nextAt }: Ending & { removed: number; held: number },
): Promise<void> {
  await db.query(
    sql`update contact_sources set run = null, last_run_at = $3, last_success_at = $3, next_run_at = $4,
       failing_since = null, failures = 0, failure = null, failure_about = null,
       added = $5, changed = $6, removed = $7, held_removals = $8, confirmed_removals = 0,
       memory = case when $8::integer > 0 then memory else $9::jsonb end
     where exchange_id = $1 and id = $2`,
    [exchangeId, sourceId, at, nextAt, added, changed, removed, held, JSON.stringify(memory)],
  );
}

export async function failRun(
  db: Db,
  { exchangeId, sourceId, run }: Run,
  { failure, about, at, nextAt }: { failure: string; about: string; at: Date; nextAt: Date },
): Promise<void> {
  await db.query(
    sql`update contact_sources set run = null, last_run_at = $4, next_run_at = $5, failures = failures + 1,
       failing_since = coalesce(failing_since, $4), failure = $6, failure_about = $7
     where exchange_id = $1 and id = $2 and run = $3`,
    [exchangeId, sourceId, run, at, nextAt, failure, about],
  );
}

/** It was stopped in the middle, and somebody else will do it again. */
export async function leaveRun(db: Db, { exchangeId, sourceId, run }: Run): Promise<void> {
  await db.query(sql`update contact_sources set run = null where exchange_id = $1 and id = $2 and run = $3`, [
    exchangeId,
    sourceId,
    run,
  ]);
}
