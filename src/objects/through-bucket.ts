// What is asked of objects, answered from here where it lies here and from the bucket where it does not.

import { isTrouble, type Trouble } from "../archive/archive.ts";
import type { Cancel, Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Bucket } from "./bucket.ts";
import type { Fetch } from "./fetching.ts";
import {
  type ByteRange,
  FilesAway,
  type ObjectReading,
  type ObjectSource,
  type Objects,
  type Put,
  partWanted,
} from "./objects.ts";
import type { Owed } from "./owed.ts";
import type { Sending } from "./sending.ts";
import type { Turns } from "./turns.ts";

export type BucketMeans = {
  bucket: Bucket;
  clock: Clock;
  log: Log;
  local: Objects;
  owed: Owed;
  sending: Pick<Sending, "look">;
  fetch: Fetch;
  inTurn: Turns;
  /** Marks a copy as being used. */
  use(key: string, path: string): Promise<void>;
  signal: AbortSignal;
  onTrouble(trouble: Trouble): void;
};

/** Larger ones are passed on as they come, and no copy is kept. */
const SMALL_BYTES = 32 * 1024 ** 2;
const TO_PLAY_MS = 5_000;

export function throughBucket(means: BucketMeans): Objects {
  const { local, inTurn } = means;
  return {
    path: local.path,
    folder: local.folder,
    scratch: local.scratch,
    put: (key, source) => inTurn(key, () => put(means, key, source)),
    delete: (key) => inTurn(key, () => remove(means, key)),
    here: (key) => localCopy(means, key),
    async fetched(key) {
      return (await localCopy(means, key)) ?? (isDeleted(means, key) ? undefined : means.fetch(key));
    },
    toPlay: (key) => toPlay(means, key),
    async size(key) {
      const here = await local.size(key);
      return here ?? (isDeleted(means, key) ? undefined : sizeThere(means, key));
    },
    async read(key, range) {
      if ((await localCopy(means, key)) !== undefined) return local.read(key, range);
      return isDeleted(means, key) ? undefined : readThere(means, key, range);
    },
  };
}

/** Marked as used before we look: from then on nobody lets it go, and who was about to is done by our turn. */
async function localCopy({ local, inTurn, use }: BucketMeans, key: string): Promise<string | undefined> {
  await use(key, local.path(key));
  return inTurn(key, () => local.here(key));
}

/** Whoever comes later hears what comes too late for this one. */
async function toPlay(means: BucketMeans, key: string): Promise<string> {
  const { local, clock, log, fetch } = means;
  const path = local.path(key);
  if ((await localCopy(means, key)) !== undefined || isDeleted(means, key)) return path;
  let cancel: Cancel = () => {};
  const late = new Promise<string>((resolve) => {
    cancel = clock.after(TO_PLAY_MS, () => resolve("it did not come in time"));
  });
  const fetched = fetch(key).then(
    (found) => (found === undefined ? "the bucket has no such file" : undefined),
    (error: Error) => error.message,
  );
  const failed = await Promise.race([fetched, late]).finally(() => cancel());
  if (failed !== undefined)
    log.warn({ object: key, why: failed }, "a sound could not be played: it lies in the bucket");
  return path;
}

const isDeleted = ({ owed }: BucketMeans, key: string) => owed.of(key)?.is === "delete";

/** Noted before it is kept: however soon a kill comes, whoever was told that it is kept finds it in the bucket one day. */
async function put(means: BucketMeans, key: string, source: ObjectSource): Promise<Put> {
  const { local, owed, sending, use } = means;
  const wasDeleted = isDeleted(means, key);
  const debt = await owed.note(key, "put");
  try {
    const kept = await local.put(key, source);
    if (!("refused" in kept)) {
      debt.bytes = kept.size;
      await use(key, local.path(key));
      return kept;
    }
    await takeBack();
    return kept;
  } catch (error) {
    await takeBack();
    throw error;
  } finally {
    sending.look();
  }

  /** What lay here before lies here still, and to put it there again does no harm. */
  async function takeBack(): Promise<void> {
    if (wasDeleted) await owed.note(key, "delete");
    else if ((await local.here(key)) === undefined) await owed.settle(debt);
  }
}

async function remove({ local, owed, sending }: BucketMeans, key: string): Promise<boolean> {
  await owed.note(key, "delete");
  await local.delete(key);
  sending.look();
  return true;
}

async function sizeThere(means: BucketMeans, key: string): Promise<number | undefined> {
  const found = await means.bucket.look(key, means.signal);
  return isTrouble(found) ? troubled(means, found) : found.size;
}

/** A small one is brought here first, for it is asked for again; of a large one only what is wanted goes through us. */
async function readThere(means: BucketMeans, key: string, range: Partial<ByteRange> = {}) {
  const { bucket, local, fetch, signal } = means;
  const size = await sizeThere(means, key);
  const part = size === undefined ? undefined : partWanted(size, range);
  if (size === undefined || !part) return undefined;
  if (size <= SMALL_BYTES) return (await fetch(key)) === undefined ? undefined : local.read(key, range);
  const stream = await bucket.open(key, { ...part, size }, signal);
  if (isTrouble(stream)) return troubled(means, stream);
  return { stream, size, range: part } satisfies ObjectReading;
}

function troubled({ bucket, onTrouble }: BucketMeans, why: Trouble): undefined {
  if (why.trouble === "not-there") return undefined;
  onTrouble(why);
  throw new FilesAway(`${bucket.place}: ${why.trouble} ${why.detail}`.trim());
}
