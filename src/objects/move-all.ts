// Everything at once: the files of an installation into its bucket, or back into its folder.

import { isTrouble, type Trouble } from "../archive/archive.ts";
import type { Bucket } from "./bucket.ts";
import { copiesIn } from "./cache.ts";
import { FilesAway, isKey } from "./objects.ts";
import type { BucketMeans } from "./through-bucket.ts";

/** What the bucket has by the same name and size is not put again. */
export async function oweAll(means: BucketMeans, folder: string): Promise<{ owed: number } | Trouble> {
  const { bucket, owed, inTurn, sending, signal } = means;
  const there = await everythingIn(bucket, signal);
  if (isTrouble(there)) return there;
  let count = 0;
  for await (const { key, path, size } of copiesIn(folder)) {
    if (owed.of(key) || there.get(key) === size) continue;
    await inTurn(key, async () => {
      // Deleted since, or put anew.
      if (owed.of(key) || (await means.local.here(key)) !== path) return;
      const debt = await owed.note(key, "put");
      debt.bytes = size;
      count++;
    });
    sending.look();
  }
  return { owed: count };
}

/** One after the other; what is here already is left as it is, so that it can be begun again. */
export async function fetchAll(
  means: BucketMeans,
  onFetched: (fetched: number) => void = () => {},
): Promise<{ fetched: number } | Trouble> {
  const { bucket, owed, local, fetch, signal } = means;
  const there = await everythingIn(bucket, signal);
  if (isTrouble(there)) return there;
  let fetched = 0;
  for (const key of there.keys()) {
    if (owed.of(key) || (await local.here(key)) !== undefined) continue;
    try {
      if ((await fetch(key)) !== undefined) onFetched(++fetched);
    } catch (error) {
      if (!(error instanceof FilesAway)) throw error;
      return { trouble: "unreachable", detail: error.message };
    }
  }
  return { fetched };
}

/** Sizes by key. What somebody else keeps there, by names that are none of ours, is left out. */
async function everythingIn(bucket: Bucket, signal?: AbortSignal): Promise<Map<string, number> | Trouble> {
  const found = new Map<string, number>();
  for (let after: string | undefined; ; ) {
    const listed = await bucket.list(after, signal);
    if (isTrouble(listed)) return listed;
    for (const { key, size } of listed.files) if (isKey(key)) found.set(key, size);
    after = listed.next;
    if (after === undefined) return found;
  }
}
