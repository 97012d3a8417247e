// Where a server keeps its files: in its data folder, or in a bucket with the folder before it.

import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { Trouble } from "../archive/archive.ts";
import { openHttpClient } from "../archive/http-client.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { filesPlace } from "../config-files.ts";
import type { Log } from "../log.ts";
import { type Bucket, openBucket } from "../objects/bucket.ts";
import { type BucketObjects, type FilesView, openBucketObjects, placeFile } from "../objects/bucket-objects.ts";
import { type Objects, openObjects } from "../objects/objects.ts";
import { isPublicAddress } from "../webhooks/guard.ts";

type FilesNeeds = { config: Config; folder: string; clock: Clock; log: Log };

/** How far bringing everything back has come; `over` when it is. */
export type Bringing = { fetched: number; over?: true; trouble?: Trouble };

/** What a running server tells its command line. */
export type FilesAnswer = FilesView & { bringing?: Bringing | undefined };

export type Files = {
  objects: Objects;
  /** Undefined without a bucket. */
  inBucket: BucketObjects | undefined;
  close(): Promise<void>;
};

export async function openFiles(needs: FilesNeeds): Promise<Files> {
  const { config, folder, clock, log } = needs;
  const opened = bucketOf(config, clock);
  const before = await placeBefore(folder);
  if (!opened) {
    if (before)
      log.warn({ bucket: before }, "files may lie in a bucket that is not set any more: see SANTRAL_FILES_URL");
    return { objects: await openObjects(folder), inBucket: undefined, close: async () => undefined };
  }
  const { bucket, close } = opened;
  if (before && before !== bucket.place)
    log.warn({ before, now: bucket.place }, "the bucket is another one: files that lie only in the former are missed");
  if (isInTheOpen(bucket.place)) log.warn({ bucket: bucket.place }, "files go to the bucket unencrypted: use https");
  const inBucket = await openBucketObjects({ folder, bucket, cacheBytes: config.filesCacheBytes, clock, log });
  log.info({ bucket: bucket.place, owed: inBucket.view().owed }, "files are kept in a bucket");
  return {
    objects: inBucket,
    inBucket,
    async close() {
      await inBucket.close();
      close();
    },
  };
}

/** The bucket that the settings name. Its address is the operator's own wish, so it may be a private one. */
export function bucketOf(config: Config, clock: Clock): { bucket: Bucket; close(): void } | undefined {
  const place = filesPlace(config);
  if (!place) return undefined;
  const client = openHttpClient({ clock, privateAllowed: true });
  return { bucket: openBucket(client, place), close: client.close };
}

/** The bucket that an earlier start has kept files in. */
export async function placeBefore(folder: string): Promise<string | undefined> {
  const text = await readFile(placeFile(folder), "utf8").catch(() => "");
  return text.trim() || undefined;
}

/** Said in plain text where others may listen. A name may lead anywhere. */
export function isInTheOpen(place: string): boolean {
  const { protocol, hostname } = new URL(place);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "http:" || host === "localhost") return false;
  return isIP(host) === 0 || isPublicAddress(host);
}

/** What the command line asks a running server about its files. */
export function filesAnswers({ inBucket }: Pick<Files, "inBucket">) {
  let bringing: Bringing | undefined;
  if (!inBucket) return { files: () => ({ off: true }) };
  return {
    files: (): FilesAnswer => ({ ...inBucket.view(), bringing }),
    filesUpload: () => inBucket.oweAll(),
    filesFetch() {
      if (bringing && !bringing.over) return bringing;
      const begun: Bringing = { fetched: 0 };
      bringing = begun;
      const note = (fetched: number) => Object.assign(begun, { fetched });
      void inBucket.fetchAll(note).then(
        (done) => Object.assign(begun, { over: true }, "trouble" in done ? { trouble: done } : {}),
        (error: unknown) =>
          Object.assign(begun, { over: true, trouble: { trouble: "refused", detail: String(error) } }),
      );
      return begun;
    },
  };
}
