// Runs of the sources of contacts, as durable work: planned when they are due, one at a time for each source, and later
// after a failure.

import { randomUUID } from "node:crypto";
import { type Clock, since } from "../clock.ts";
import type { JobHandler, Outcome } from "../jobs/handler.ts";
import { enqueue, type NewJob } from "../jobs/jobs.ts";
import { oweNotice } from "../jobs/notice.ts";
import { keepPlanning } from "../jobs/planning.ts";
import type { Log } from "../log.ts";
import { type Readers, shareOf } from "../readers/task.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { writeAuditLine } from "../store/audit.ts";
import { type Run, writePage } from "../store/contact-pages.ts";
import {
  beginRun,
  type Ended,
  type Ending,
  failRun,
  finishRun,
  leaveRun,
  type RunningSource,
  readKnown,
} from "../store/contact-runs.ts";
import { DUE_CHANNEL, dueSources } from "../store/contact-sources.ts";
import type { Database, Db } from "../store/db.ts";
import type { Requester } from "../webhooks/requester.ts";
import { failureOf, RunOver, SourceFailed } from "./failure.ts";
import { readFileSource } from "./file-source.ts";
import { webFor } from "./guarded-fetch.ts";
import type { SourceReader } from "./reading.ts";

export const SYNCHRONISE_CONTACTS = "contacts.synchronise";

export type ContactParts = {
  db: Database;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  requester: Requester;
  readers: Readers;
};

type PlanParts = Pick<ContactParts, "db" | "clock" | "log">;
type Payload = { exchangeId: number; sourceId: number };

const MINUTE = 60_000;
const LOOK_MS = 15_000;
const LONGEST_RUN_MS = 15 * MINUTE;
const LONGEST_WAIT_MS = 6 * 60 * MINUTE;

/** Looks whose time has come: from time to time, and when it is told that somebody waits. Returns how to stop. */
export function planContactRuns({ db, clock, log }: PlanParts): Promise<() => Promise<void>> {
  const look = async () => {
    const due = await dueSources(db, new Date(clock.wall()));
    await enqueue(db, ...due.map(({ exchangeId, id }) => runOf({ exchangeId, sourceId: id })));
  };
  const what = "sources of contacts";
  return keepPlanning({ db, clock, log }, { channel: DUE_CHANNEL, everyMs: LOOK_MS, look, what });
}

/** While one is owed there is no second one of the same source. */
function runOf(payload: Payload): NewJob {
  const { exchangeId, sourceId } = payload;
  const uniqueKey = `source ${sourceId}`;
  return { kind: SYNCHRONISE_CONTACTS, payload, uniqueKey, share: `contacts ${exchangeId}`, maxAttempts: 1_000 };
}

export function synchroniseContacts(parts: ContactParts): JobHandler {
  return {
    async run({ exchangeId, sourceId }: Payload, { signal }): Promise<Outcome> {
      const db = parts.db.forExchange(exchangeId); // for all that strangers' words are written with
      const run = { exchangeId, sourceId, run: randomUUID() };
      const source = await beginRun(db, parts.secrets, run);
      if (!source) return undefined;
      try {
        await synchronise(parts, db, { run, source, signal });
      } catch (error) {
        if (error instanceof RunOver || signal.aborted) await leaveRun(db, run);
        else await noteFailure(parts, db, { run, source, error });
      }
      return undefined;
    },
  };
}

type Running = { run: Run; source: RunningSource; signal: AbortSignal };

async function synchronise(parts: ContactParts, db: Db, { run, source, signal }: Running): Promise<void> {
  const { clock, requester, readers } = parts;
  const { password } = source;
  if (password === undefined) throw new SourceFailed("password-unreadable");
  const kinds: Record<RunningSource["kind"], () => Promise<SourceReader>> = {
    // What speaks to such servers is loaded by who has one.
    carddav: async () => (await import("./carddav-source.ts")).readAddressBook(() => clock.wall()),
    file: async () => readFileSource,
  };
  const read = await kinds[source.kind]();
  const known = await readKnown(db, run);
  const began = clock.ticks();
  const share = shareOf(run.exchangeId);
  const pages = read({ source, known, web: webFor(requester, { ...source, password }, signal), readers, share });
  const counts = { added: 0, changed: 0 };
  for (;;) {
    const { value, done } = await pages.next();
    if (signal.aborted) throw new RunOver();
    if (since(clock, began) > LONGEST_RUN_MS) throw new SourceFailed("late", String(LONGEST_RUN_MS / MINUTE));
    if (done) return end(parts, { run, source }, { ...value, ...counts, before: known.contacts.size });
    if (value.length === 0) continue;
    const written = await writePage(db, run, value);
    if (!written) throw new RunOver();
    counts.added += written.added;
    counts.changed += written.changed;
  }
}

type Result = Omit<Ending, "at" | "nextAt">;

async function end(parts: ContactParts, { run, source }: Omit<Running, "signal">, result: Result): Promise<void> {
  const { db, clock, log } = parts;
  const at = new Date(clock.wall());
  const nextAt = new Date(clock.wall() + source.every_minutes * MINUTE);
  const ended = await db.transaction(async (db) => {
    const ended = await finishRun(db, run, { ...result, at, nextAt });
    if (ended?.isNews) await tellHeld(db, run.exchangeId, source.name, ended);
    return ended;
  });
  const { added, changed } = result;
  if (ended && added + changed + ended.removed + ended.held > 0)
    log.info({ added, changed, ...ended, source: source.name, exchange: run.exchangeId }, "contacts were synchronised");
}

async function tellHeld(db: Db, exchangeId: number, source: string, { held }: Ended): Promise<void> {
  const details = { source, contacts: String(held) };
  await writeAuditLine(db, { exchangeId, doer: "exchange", who: "", did: "contact-removal-held", details });
  await oweNotice(db, exchangeId, { is: "contact-removal-held", source, contacts: held });
}

async function noteFailure(
  { clock, log }: ContactParts,
  db: Db,
  { run, source, error }: { run: Run; source: RunningSource; error: unknown },
): Promise<void> {
  const { kind: failure, about } = failureOf(error);
  const nowMs = clock.wall();
  const nextAt = new Date(nowMs + waitAfter(source.failures + 1));
  const said = { exchange: run.exchangeId, source: source.name, failure, about, nextAt };
  if (failure === "broken") log.error(said, "a source of contacts could not be read because of a mistake of ours");
  else log.warn(said, "a source of contacts could not be read");
  await failRun(db, run, { failure, about, at: new Date(nowMs), nextAt });
}

/** A minute, two, four … six hours. */
function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, 2 ** Math.min(failures - 1, 20) * MINUTE);
}
