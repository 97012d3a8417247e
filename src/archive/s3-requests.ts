// Requests to whatever speaks Amazon's S3: each signed (Signature Version 4), the body's SHA-256 among what is signed.

import type { Readable } from "node:stream";
import { AwsV4Signer } from "aws4fetch";
import { isTrouble, type Trouble, trouble, troubleOfStatus } from "./archive.ts";
import { type HttpClient, type StoreAnswer, wordsOf } from "./http-client.ts";
import { again } from "./reading.ts";

export type S3Place = {
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  /** Where the bucket stands: in the path, or before the host. */
  addressing: "path" | "host";
  accessKey: string;
  secretKey: string;
};

export type S3Asked = {
  method: string;
  /** Empty: the bucket itself. */
  name: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  contents?: { size: number; sha256: string; open(): Readable };
};

export type S3Ask = (asked: S3Asked, signal?: AbortSignal) => Promise<StoreAnswer | Trouble>;

const NO_BODY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Answers of 200, 204 and 206; everything else in our words. */
export function s3Requests(client: HttpClient, place: S3Place): S3Ask {
  const cache = new Map<string, ArrayBuffer>(); // of the keys that sign, which change daily
  return (asked, signal) =>
    again(client.clock, async () => {
      const url = urlOf(place, asked);
      if (!url) return trouble("bad-address");
      if (cache.size > 4) cache.clear();
      const headers = await signed({ url, place, asked, cache, nowMs: client.clock.wall() });
      const { method, contents: body } = asked;
      const answer = await client.ask({ method, url, headers, signal, ...(body ? { body } : {}) });
      if (isTrouble(answer) || (answer.status >= 200 && answer.status < 300)) return answer;
      return troubleIn(answer, await wordsOf(answer));
    });
}

/** The name of a file below the place's prefix. */
export function belowPrefix({ prefix }: S3Place, path: string): string {
  return [prefix, path].filter((it) => it !== "").join("/");
}

/** For an answer that says nothing but that it went well. */
export function done(answer: StoreAnswer | Trouble): Trouble | undefined {
  if (isTrouble(answer)) return answer;
  answer.body.resume();
  return undefined;
}

/** Undefined when bucket and endpoint make no URL. */
function urlOf({ endpoint, bucket, addressing }: S3Place, { name, query = {} }: S3Asked): URL | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  const path = name.split("/").map(encoded).join("/");
  const base = url.pathname.replace(/(?<!\/)\/+$/, "");
  if (addressing === "host") url.host = `${bucket}.${url.host}`;
  url.pathname = `${base}/${addressing === "path" ? `${encoded(bucket)}/` : ""}${path}`;
  const said = Object.entries(query).map(([word, value]) => `${encoded(word)}=${encoded(value)}`);
  url.search = said.join("&");
  return url;
}

/** As signatures want it (RFC 3986): nothing that some decode and others do not stays as it is. */
function encoded(word: string): string {
  return encodeURIComponent(word).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

type Signing = { url: URL; place: S3Place; asked: S3Asked; cache: Map<string, ArrayBuffer>; nowMs: number };

async function signed({ url, place, asked, cache, nowMs }: Signing): Promise<Record<string, string>> {
  const { headers } = await new AwsV4Signer({
    method: asked.method,
    url: url.href,
    headers: { ...asked.headers, "X-Amz-Content-Sha256": asked.contents?.sha256 ?? NO_BODY },
    accessKeyId: place.accessKey,
    secretAccessKey: place.secretKey,
    service: "s3",
    region: place.region,
    cache,
    datetime: new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  }).sign();
  return Object.fromEntries(headers);
}

const codes: Partial<Record<string, Trouble["trouble"]>> = {
  NoSuchBucket: "no-place",
  InvalidBucketName: "no-place",
  InvalidAccessKeyId: "login",
  SignatureDoesNotMatch: "login",
  InvalidToken: "login",
  ExpiredToken: "login",
  AccessDenied: "forbidden",
  AllAccessDisabled: "forbidden",
  RequestTimeTooSkewed: "clock",
  PermanentRedirect: "region",
  TemporaryRedirect: "region",
  AuthorizationHeaderMalformed: "region",
  NoSuchKey: "not-there",
  BadDigest: "differs",
  XAmzContentSHA256Mismatch: "differs",
  QuotaExceeded: "full",
  XMinioStorageFull: "full",
  SlowDown: "busy",
};

/** Of its answer only the code: the rest of it repeats what was signed. */
function troubleIn({ status, headers }: StoreAnswer, words: string): Trouble {
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(words)?.[1] ?? "";
  const region = headers["x-amz-bucket-region"];
  if (typeof region === "string" && /^[a-z0-9-]{1,40}$/.test(region) && (status === 301 || status === 400))
    return trouble("region", region);
  const known = codes[code];
  return known ? trouble(known, code) : troubleOfStatus(status, code);
}
