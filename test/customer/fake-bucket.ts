// A bucket in memory that fails as it is told to, for tests on a wound clock.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Trouble, trouble } from "../../src/archive/archive.ts";
import type { Bucket } from "../../src/objects/bucket.ts";

export type Asked = { ask: "put" | "check" | "look" | "open" | "remove" | "list" | "abort"; key: string };

export type FakeBucket = Bucket & {
  files: Map<string, { bytes: Buffer; sha256: string | undefined }>;
  asked: Asked[];
  /** What comes instead of an answer; it may wait before it says so. */
  fails: (asked: Asked) => Promise<Trouble | undefined> | Trouble | undefined;
  /** How a file comes, when it does not come as it lies there. */
  sends: ((bytes: Buffer) => Readable) | undefined;
};

export function fakeBucket(): FakeBucket {
  const files: FakeBucket["files"] = new Map();
  const failing = async (asked: Asked): Promise<Trouble | undefined> => {
    bucket.asked.push(asked);
    return bucket.fails(asked);
  };
  const bucket: FakeBucket = {
    files,
    asked: [],
    fails: () => undefined,
    sends: undefined,
    place: "https://bucket.example/files",
    nameFor: async (path) => path,
    async put(key, file) {
      const bytes = await buffer(file.open());
      const failed = await failing({ ask: "put", key });
      if (failed) return failed;
      files.set(key, { bytes, sha256: file.sha256 });
      return undefined;
    },
    async check(key, { sha256 }) {
      const failed = await failing({ ask: "check", key });
      if (failed) return failed;
      const found = files.get(key);
      if (!found) return trouble("not-there");
      return createHash("sha256").update(found.bytes).digest("hex") === sha256 ? undefined : trouble("differs");
    },
    async look(key) {
      const failed = await failing({ ask: "look", key });
      const found = files.get(key);
      return failed ?? (found ? { size: found.bytes.length, sha256: found.sha256 } : trouble("not-there"));
    },
    async open(key, { from, to }) {
      const failed = await failing({ ask: "open", key });
      const found = files.get(key);
      if (failed || !found) return failed ?? trouble("not-there");
      return bucket.sends?.(found.bytes) ?? Readable.from([found.bytes.subarray(from, to + 1)]);
    },
    async remove(key) {
      const failed = await failing({ ask: "remove", key });
      if (!failed) files.delete(key);
      return failed;
    },
    async list(after = "") {
      const failed = await failing({ ask: "list", key: after });
      const left = [...files.keys()].sort().filter((key) => key > after);
      const page = left.slice(0, 1_000).map((key) => ({ key, size: files.get(key)!.bytes.length }));
      return failed ?? { files: page, next: left.length > 1_000 ? page.at(-1)?.key : undefined };
    },
    abort: (key) => failing({ ask: "abort", key }),
  };
  return bucket;
}
