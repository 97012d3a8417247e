// Objects that are kept in a bucket: durable here when `put` returns, put there in the background, brought back when asked for.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isTrouble, type Trouble } from "../archive/archive.ts";
import { type Cancel, type Clock, earliest, since } from "../clock.ts";
import { writeDurably } from "../durable-file.ts";
import type { Log } from "../log.ts";
import type { Bucket } from "./bucket.ts";
import { type CacheView, openCache } from "./cache.ts";
import { openFetching } from "./fetching.ts";
import { fetchAll, oweAll } from "./move-all.ts";
import { type Objects, openObjects } from "./objects.ts";
import { type Debt, type Owed, openOwed } from "./owed.ts";
import { openSending } from "./sending.ts";
import { throughBucket } from "./through-bucket.ts";
import { openTurns } from "./turns.ts";

export type BucketObjectsNeeds = {
  folder: string;
  bucket: Bucket;
  /** How much may lie here of what the bucket has. */
  cacheBytes: number;
  clock: Clock;
  log: Log;
};

export type FilesView = {
  bucket: string;
  owed: number;
  owedBytes: number;
  oldestSeconds: number;
  uploads: number;
  deletes: number;
  fetches: number;
  failures: Partial<Record<Trouble["trouble"], number>>;
  trouble: Trouble | undefined;
  cache: CacheView;
};

export type BucketObjects = Objects & {
  view(): FilesView;
  /** Everything that lies here and not there is owed from now on. How many that are. */
  oweAll(): Promise<{ owed: number } | Trouble>;
  /** Brings everything here, and lets nothing go any more. */
  fetchAll(onFetched?: (fetched: number) => void): Promise<{ fetched: number } | Trouble>;
  /** Makes room now, which it does by itself every ten minutes. */
  trim(): Promise<void>;
  close(): Promise<void>;
};

const BETWEEN_LOOKS_MS = 10 * 60_000;

/** Names the bucket, for a start without one: what lies only there is missed. */
export const placeFile = (folder: string): string => join(folder, ".bucket");

export async function openBucketObjects(needs: BucketObjectsNeeds): Promise<BucketObjects> {
  const { folder, bucket, clock, log, cacheBytes } = needs;
  const local = await openObjects(folder);
  await writeDurably(placeFile(folder), `${bucket.place}\n`);
  const owed = await openOwed({ root: folder, clock, sizeOf: local.size });
  const inTurn = openTurns();
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = counting();
  const { onPaid, onFetched, onTrouble } = counts;
  const sending = openSending({ owed, bucket, clock, log, inTurn, path: local.path, onPaid, onTrouble });
  const fetch = openFetching({ bucket, local, owed, inTurn, signal, onFetched, onTrouble });
  const cache = openCache({ root: folder, limitBytes: cacheBytes, bucket, owed, clock, inTurn, signal });
  const means = { bucket, clock, log, local, owed, sending, fetch, inTurn, signal, onTrouble, use: cache.use };
  const trimming = everySoOften(clock, async () => {
    const { trouble } = await cache.trim();
    if (trouble) log.warn({ ...trouble }, "copies of files that lie in the bucket could not be let go");
  });
  sending.look();
  return {
    ...throughBucket(means),
    view: () => ({
      bucket: bucket.place,
      ...counts.view(),
      ...backlogOf(owed, clock),
      trouble: sending.trouble(),
      cache: cache.view(),
    }),
    oweAll: () => oweAll(means, folder),
    async fetchAll(onFetched) {
      trimming.stop();
      const done = await fetchAll(means, onFetched);
      if (!isTrouble(done)) await rm(placeFile(folder), { force: true }); // nothing would be missed without it
      return done;
    },
    trim: trimming.now,
    async close() {
      trimming.stop();
      stopping.abort();
      await sending.close();
    },
  };
}

function counting() {
  const counts = { uploads: 0, deletes: 0, fetches: 0 };
  const failures: FilesView["failures"] = {};
  return {
    onPaid(is: Debt["is"]) {
      counts[is === "put" ? "uploads" : "deletes"] += 1;
    },
    onFetched() {
      counts.fetches += 1;
    },
    onTrouble({ trouble }: Trouble) {
      failures[trouble] = (failures[trouble] ?? 0) + 1;
    },
    view: () => ({ ...counts, failures: { ...failures } }),
  };
}

function backlogOf(owed: Owed, clock: Clock) {
  let [bytes, oldest] = [0, clock.ticks()];
  for (const debt of owed.all()) {
    bytes += debt.bytes;
    oldest = earliest(oldest, debt.since);
  }
  return { owed: owed.count(), owedBytes: bytes, oldestSeconds: Math.round(since(clock, oldest) / 1_000) };
}

function everySoOften(clock: Clock, work: () => Promise<void>) {
  let isStopped = false;
  let cancel: Cancel = () => {};
  const again = () => {
    if (isStopped) return;
    cancel = clock.after(BETWEEN_LOOKS_MS, () => {
      void work()
        .catch(() => undefined) // a folder that cannot be read now is looked at again
        .then(again);
    });
  };
  again();
  return {
    now: () => (isStopped ? Promise.resolve() : work()),
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
