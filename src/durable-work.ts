// What outlives calls and crashes: the journal of calls, what a crash left undone, and the workers that owe it to others.

import type { Clock } from "./clock.ts";
import { type OpenJournal, openJournal } from "./exchange/journal/journal.ts";
import { journalParts } from "./exchange/journal/journal-parts.ts";
import { recoverCalls } from "./exchange/journal/recovery.ts";
import { planRetention } from "./exchange/recordings/retain.ts";
import { startWorkers } from "./jobs/workers.ts";
import type { Log } from "./log.ts";
import type { Converter } from "./media/convert.ts";
import type { Objects } from "./objects/objects.ts";
import type { Database } from "./store/db.ts";
import { probe } from "./webhooks/probe.ts";
import { openRequester, type Requester } from "./webhooks/requester.ts";
import { handlersOf, shareLimits } from "./workers.ts";

export type DurableWorkOptions = {
  db: Database;
  clock: Clock;
  log: Log;
  objects: Objects;
  converter: Converter;
  /** Webhooks may reach private addresses. */
  privateWebhooks: boolean;
  /** This machine's name among those that share the database. */
  node?: string;
};

export type DurableWork = {
  journal: OpenJournal;
  requester: Requester;
  /** A trial POST: whether a URL that wants call events answers with 200. */
  probeUrl(url: string): Promise<boolean>;
  /** After the last call: writes what the journal still has, lets deliveries under way end, and leaves the rest owed. */
  close(): Promise<void>;
};

/** A stop waits this long for receivers that are slow; what they have not taken goes out at the next start. */
const DRAIN_MS = 5_000;
/** Mostly waiting for receivers, of which each gets only a few of these. */
const AT_ONCE = 256;

export async function openDurableWork({
  privateWebhooks,
  node = "main",
  ...parts
}: DurableWorkOptions): Promise<DurableWork> {
  const { db, clock } = parts;
  const journalNeeds = journalParts({ ...parts, node });
  await recoverCalls(journalNeeds);
  const journal = openJournal(journalNeeds);
  const requester = openRequester({ clock, privateAllowed: privateWebhooks });
  await planRetention(db, clock.now());
  const workers = await startWorkers({
    ...parts,
    handlers: handlersOf({ ...parts, requester }),
    limits: shareLimits,
    concurrency: AT_ONCE,
  });
  return {
    journal,
    requester,
    probeUrl: async (url) => "ok" in (await probe(requester, url, "{}")),
    async close() {
      await journal.close();
      await workers.stop({ drainMs: DRAIN_MS });
      requester.close();
    },
  };
}
