// Brings copies of objects from the bucket: each once, however many ask for it; whole and right, or not at all.

import { createHash } from "node:crypto";
import { type Readable, Transform } from "node:stream";
import { isTrouble, type Trouble } from "../archive/archive.ts";
import type { Bucket } from "./bucket.ts";
import { FilesAway, LARGEST_OBJECT, type Objects } from "./objects.ts";
import type { Owed } from "./owed.ts";
import type { Turns } from "./turns.ts";

export type FetchingNeeds = {
  bucket: Bucket;
  local: Pick<Objects, "put" | "here">;
  owed: Pick<Owed, "of">;
  inTurn: Turns;
  signal: AbortSignal;
  onFetched(): void;
  onTrouble(trouble: Trouble): void;
};

/** Where the copy lies; undefined when the bucket has none. Throws `FilesAway` when it cannot be had now. */
export type Fetch = (key: string) => Promise<string | undefined>;

export function openFetching(needs: FetchingNeeds): Fetch {
  const underWay = new Map<string, Promise<string | undefined>>();
  return (key) => {
    const begun = underWay.get(key);
    if (begun) return begun;
    // In its turn: whoever puts or deletes the object meanwhile does so after it, and has the last word.
    const fetching = needs.inTurn(key, () => fetchNow(needs, key)).finally(() => underWay.delete(key));
    underWay.set(key, fetching);
    return fetching;
  };
}

async function fetchNow(needs: FetchingNeeds, key: string): Promise<string | undefined> {
  const { bucket, local, owed, signal } = needs;
  const here = await local.here(key);
  if (here !== undefined || owed.of(key)) return here;
  const found = await bucket.look(key, signal);
  if (isTrouble(found)) return troubled(needs, found);
  const { size, sha256 } = found;
  if (size > LARGEST_OBJECT) return troubled(needs, { trouble: "differs", detail: `${size} bytes` });
  const stream = await bucket.open(key, { from: 0, to: size - 1, size }, signal);
  if (isTrouble(stream)) return troubled(needs, stream);
  try {
    await local.put(key, { stream: sha256 === undefined ? stream : proved(stream, sha256) });
  } catch (error) {
    return troubled(needs, { trouble: "unreachable", detail: error instanceof Error ? error.message : "" });
  }
  needs.onFetched();
  return local.here(key);
}

function troubled({ onTrouble, bucket }: FetchingNeeds, why: Trouble): undefined {
  if (why.trouble === "not-there") return undefined;
  onTrouble(why);
  throw new FilesAway(`${bucket.place}: ${why.trouble} ${why.detail}`.trim());
}

/** Ends with an error when what came is not what was put. */
function proved(stream: Readable, sha256: string): Readable {
  const hash = createHash("sha256");
  const proof = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      done(null, piece);
    },
    flush(done) {
      done(hash.digest("hex") === sha256 ? null : new Error("what came is not what was put"));
    },
  });
  stream.on("error", (error) => proof.destroy(error));
  return stream.pipe(proof);
}
