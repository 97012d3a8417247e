// The bucket in which a server keeps its files, by key: what is asked of it, in S3's requests.

import { type Archive, isTrouble, type Part, type Sums, type Trouble, trouble } from "../archive/archive.ts";
import { type HttpClient, type StoreAnswer, wordsOf } from "../archive/http-client.ts";
import { partOf, rangeHeader, readAgain } from "../archive/reading.ts";
import { belowPrefix, done, type S3Ask, type S3Place, s3Requests } from "../archive/s3-requests.ts";
import { abortParts, type Began, putInParts, type Sent } from "./parts.ts";
import { textIn } from "./xml.ts";

/** `sha256` is missing on what somebody else has put there. */
export type InBucket = { size: number; sha256: string | undefined };

export type Listed = { files: { key: string; size: number }[]; next: string | undefined };

export type Bucket = Archive & {
  /** Without its secrets. */
  place: string;
  put(key: string, file: Sent, signal?: AbortSignal, began?: Began): Promise<Trouble | undefined>;
  /** What was put, looked at again: its size and the sum that the bucket has made of it. */
  check(key: string, sums: Sums, signal?: AbortSignal): Promise<Trouble | undefined>;
  look(key: string, signal?: AbortSignal): Promise<InBucket | Trouble>;
  /** A thousand at a time, in the order of their names. */
  list(after?: string, signal?: AbortSignal): Promise<Listed | Trouble>;
  /** Ends an upload in parts of an earlier life; what had arrived of it is thrown away. */
  abort(key: string, upload: string, signal?: AbortSignal): Promise<Trouble | undefined>;
};

const SUM = "x-amz-meta-sha256";

export type BucketOptions = { partBytes?: number };

export function openBucket(client: HttpClient, place: S3Place, { partBytes = 64 * 1024 ** 2 }: BucketOptions = {}) {
  const ask = s3Requests(client, place);
  const nameOf = (key: string) => belowPrefix(place, key);
  /** What the bucket will call an upload in parts, by key; asked for once. */
  const tags = new Map<string, string>();
  const bucket: Bucket = {
    place: `${place.endpoint}/${[place.bucket, place.prefix].filter((it) => it !== "").join("/")}`,
    nameFor: async (path) => path,

    async put(key, file, signal, began: Began = async () => {}) {
      const headers = { "Content-Type": file.mediaType, [SUM]: file.sha256 };
      tags.delete(key);
      if (file.size > partBytes) {
        const put = await putInParts({ ask, name: nameOf(key), file, headers, partBytes, began, signal });
        if (isTrouble(put)) return put;
        tags.set(key, put.tag);
        return undefined;
      }
      const md5 = Buffer.from(file.md5, "hex").toString("base64");
      const asked = { method: "PUT", name: nameOf(key), headers: { ...headers, "Content-MD5": md5 }, contents: file };
      return done(await ask(asked, signal));
    },

    async check(key, sums, signal) {
      const expected = tags.get(key) ?? sums.md5;
      tags.delete(key);
      const answer = await ask({ method: "HEAD", name: nameOf(key) }, signal);
      if (isTrouble(answer)) return answer;
      answer.body.resume();
      const { "content-length": length, etag = "" } = answer.headers;
      if (Number(length) !== sums.size) return trouble("differs", `${length} bytes instead of ${sums.size}`);
      // Where its tag is no sum, as with some ways of encrypting, only reading again says it.
      return etag.replaceAll('"', "") === expected ? undefined : readAgain(bucket, key, sums, signal);
    },

    async look(key, signal) {
      const answer = await ask({ method: "HEAD", name: nameOf(key) }, signal);
      return isTrouble(answer) ? answer : inBucket(answer);
    },

    async open(key, part: Part, signal) {
      const answer = await ask({ method: "GET", name: nameOf(key), headers: rangeHeader(part) }, signal);
      return isTrouble(answer) ? answer : partOf(answer, part);
    },

    async remove(key, signal) {
      const removed = done(await ask({ method: "DELETE", name: nameOf(key) }, signal));
      return removed?.trouble === "not-there" ? undefined : removed;
    },

    list: (after, signal) => list(ask, { prefix: place.prefix, after, signal }),
    abort: (key, upload, signal) => abortParts({ ask, name: nameOf(key), upload, signal }),
  };
  return bucket;
}

function inBucket({ headers, body }: StoreAnswer): InBucket | Trouble {
  body.resume();
  const { "content-length": length, [SUM]: sum } = headers;
  const size = Number(length);
  if (length === undefined || !Number.isSafeInteger(size)) return trouble("refused", "no size");
  return { size, sha256: typeof sum === "string" && /^[0-9a-f]{64}$/.test(sum) ? sum : undefined };
}

type Listing = { prefix: string; after: string | undefined; signal: AbortSignal | undefined };

async function list(ask: S3Ask, { prefix, after, signal }: Listing): Promise<Listed | Trouble> {
  const below = prefix === "" ? "" : `${prefix}/`;
  const query = {
    "list-type": "2",
    "encoding-type": "url",
    "max-keys": "1000",
    ...(below === "" ? {} : { prefix: below }),
    ...(after === undefined ? {} : { "continuation-token": after }),
  };
  const answer = await ask({ method: "GET", name: "", query }, signal);
  if (isTrouble(answer)) return answer;
  const text = await wordsOf(answer, LONGEST_LIST);
  if (!/<\/ListBucketResult>\s*$/.test(text)) return trouble("refused", "its list cannot be read");
  const isEncoded = /<EncodingType>url</.test(text);
  const entries = text.split("<Contents>").slice(1);
  const files = entries.flatMap((rest) => {
    const [entry = ""] = rest.split("</Contents>", 1);
    const name = textIn(entry, "Key") ?? "";
    const whole = isEncoded ? decoded(name) : name;
    const size = Number(textIn(entry, "Size"));
    return whole.startsWith(below) && whole !== below ? { key: whole.slice(below.length), size } : [];
  });
  const isCut = textIn(text, "IsTruncated") === "true";
  return { files, next: isCut ? textIn(text, "NextContinuationToken") : undefined };
}

/** A thousand names of a thousand letters, and what stands around them. */
const LONGEST_LIST = 8 * 1024 ** 2;

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name; // not one of ours
  }
}
