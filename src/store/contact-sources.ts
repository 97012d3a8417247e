// Sources of contacts: what is set of them, how they fare, and whose password is sealed.

import { contactSource } from "../nouns/contact-source.ts";
import type { Changes, Row } from "../nouns/field.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { sealing } from "./sealing.ts";
import { joined, sql } from "./sql.ts";
import { assignments, shownColumns, updateOwn } from "./update.ts";

/** Whoever listens here looks at once whose time has come. */
export const DUE_CHANNEL = "contact_sources";

export type SourceChanges = Changes<typeof contactSource>;

export type SourceRow = { id: number; name: string } & Row<typeof contactSource> & {
    contacts: number;
    unreadable: number;
    isRunning: boolean;
    nextRunAt: Date;
    lastRunAt: Date | null;
    lastSuccessAt: Date | null;
    failingSince: Date | null;
    /** A kind of failure, and what more is known of it. */
    failure: string | null;
    failureAbout: string | null;
    /** By the last run that went well. */
    added: number;
    changed: number;
    removed: number;
    /** How many contacts are to be removed as soon as somebody says so. */
    heldRemovals: number;
  };

export function listContactSources(db: Db, exchangeId: number): Promise<SourceRow[]> {
  return db.query<SourceRow>(
    sql`select id, name, ${shownColumns(contactSource)},
       (select count(*) from contacts c where c.exchange_id = s.exchange_id and c.source_id = s.id) as contacts,
       (select count(*) from contact_source_faults f where f.source_id = s.id) as unreadable,
       run is not null as "isRunning", next_run_at as "nextRunAt", last_run_at as "lastRunAt",
       last_success_at as "lastSuccessAt", failing_since as "failingSince", failure, failure_about as "failureAbout",
       added, changed, removed, held_removals as "heldRemovals"
     from contact_sources s where exchange_id = $1 order by lower(name), id`,
    [exchangeId],
  );
}

export type NewSource = SourceChanges & { kind: "carddav" | "file"; url: string };

export function createContactSource(
  db: Db,
  secrets: Secrets,
  { exchangeId, name, source, at }: { exchangeId: number; name: string; source: NewSource; at: Date },
): Promise<{ id: number } | SetupRefusal> {
  const { password, ...settings } = source;
  const { names, places, values } = assignments(contactSource, settings, 4);
  return unlessTaken(db, { refused: "name-taken", what: "contact source", name }, async (db) => {
    const [row] = await db.query<{ id: number }>(
      sql`insert into contact_sources (${joined([sql`exchange_id, name, next_run_at`, ...names], ", ")})
       values (${joined([sql`$1, $2, $3`, ...places], ", ")}) returning id`,
      [exchangeId, name, at, ...values],
    );
    await updateContactSource(db, secrets, { exchangeId, name, changes: { password }, at });
    return row!; // an insert without a condition returns its row
  });
}

/** What was read under the former settings is looked at anew, and a run that is under way with them ends. */
export function updateContactSource(
  db: Db,
  secrets: Secrets,
  { exchangeId, name, changes, at }: { exchangeId: number; name: string; changes: SourceChanges; at: Date },
): Promise<boolean> {
  const { password, ...others } = changes;
  return sealing(db, secrets, async (db, seal) => {
    const [found] = await db.query<{ id: number }>(
      sql`update contact_sources set memory = '{}', run = null, next_run_at = $3
       where exchange_id = $1 and name = $2 returning id, pg_notify($4, '')`,
      [exchangeId, name, at, DUE_CHANNEL],
    );
    if (!found) return false;
    const place = { kind: "contact_sources.password", exchangeId, row: found.id } as const;
    const sealed = password === null || password === "" ? null : password && seal(place, password);
    return updateOwn(db, contactSource, { exchangeId, which: name, changes: { ...others, password: sealed } });
  });
}

/** Its contacts go with it, or stay as the exchange's own. False: there is none of that name. */
export function deleteContactSource(
  db: Db,
  { exchangeId, name, keeps }: { exchangeId: number; name: string; keeps: boolean },
): Promise<boolean> {
  return db.transaction(async (db) => {
    const [found] = await db.query<{ id: number }>(
      sql`select id from contact_sources where exchange_id = $1 and name = $2 for update`,
      [exchangeId, name],
    );
    if (!found) return false;
    if (keeps)
      await db.query(
        sql`update contacts set source_id = null, foreign_id = null, foreign_mark = null
         where exchange_id = $1 and source_id = $2`,
        [exchangeId, found.id],
      );
    await db.query(sql`delete from contact_sources where exchange_id = $1 and id = $2`, [exchangeId, found.id]);
    return true;
  });
}

/** It is due from then on. False: there is none of that name. */
export async function makeSourceDue(
  db: Db,
  { exchangeId, name, at }: { exchangeId: number; name: string; at: Date },
): Promise<boolean> {
  const found = await db.query(
    sql`update contact_sources set next_run_at = $3 where exchange_id = $1 and name = $2
     returning id, pg_notify($4, '')`,
    [exchangeId, name, at, DUE_CHANNEL],
  );
  return found.length > 0;
}

/** So many contacts, and no more, may go at the next run. False: nothing waits there for anybody's word. */
export async function confirmRemovals(
  db: Db,
  { exchangeId, name, at }: { exchangeId: number; name: string; at: Date },
): Promise<boolean> {
  const found = await db.query(
    sql`update contact_sources set confirmed_removals = held_removals, next_run_at = $3
     where exchange_id = $1 and name = $2 and held_removals > 0 returning id, pg_notify($4, '')`,
    [exchangeId, name, at, DUE_CHANNEL],
  );
  return found.length > 0;
}

export type SourceFault = { foreignId: string; why: string; value: string };

export function listSourceFaults(
  db: Db,
  { exchangeId, name, limit }: { exchangeId: number; name: string; limit: number },
): Promise<SourceFault[]> {
  return db.query<SourceFault>(
    sql`select f.foreign_id as "foreignId", f.why, f.value from contact_source_faults f
     join contact_sources s on s.id = f.source_id
     where f.exchange_id = $1 and s.exchange_id = $1 and s.name = $2 order by f.foreign_id limit $3`,
    [exchangeId, name, limit],
  );
}

/** Of all exchanges: whose time has come. */
export function dueSources(db: Db, at: Date): Promise<{ exchangeId: number; id: number }[]> {
  return db.query(
    sql`select exchange_id as "exchangeId", id from contact_sources where active and next_run_at <= $1 order by next_run_at`,
    [at],
  );
}

export type SourceCounts = { working: number; failing: number; held: number; paused: number };

/** Of all exchanges, for those who watch over the server. */
export async function countContactSources(db: Db): Promise<SourceCounts> {
  const [counts] = await db.query<SourceCounts>(
    sql`select count(*) filter (where active and failing_since is null and held_removals = 0) as working,
       count(*) filter (where active and failing_since is not null) as failing,
       count(*) filter (where active and failing_since is null and held_removals > 0) as held,
       count(*) filter (where not active) as paused
     from contact_sources`,
  );
  return counts!; // an aggregate always has its one row
}

export type AilingSource = { exchangeId: number; name: string; failure: string | null; heldRemovals: number };

/** Of all exchanges: those that have failed since then, or wait for somebody's word. */
export function ailingSources(db: Db, since: Date): Promise<AilingSource[]> {
  return db.query<AilingSource>(
    sql`select exchange_id as "exchangeId", name, case when failing_since <= $1 then failure end as failure,
       held_removals as "heldRemovals"
     from contact_sources where active and (failing_since <= $1 or held_removals > 0) order by exchange_id, name`,
    [since],
  );
}
