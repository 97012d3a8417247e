// Any store that speaks Amazon's S3: each request signed (Signature Version 4), the body's SHA-256 among what is signed.

import { AwsV4Signer } from "aws4fetch";
import { type Archive, type Contents, isTrouble, type Trouble, trouble, troubleOfStatus } from "./archive.ts";
import { type HttpClient, type StoreAnswer, wordsOf } from "./http-client.ts";
import { again, partOf, rangeHeader, readAgain } from "./reading.ts";

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

type Asked = { method: string; name: string; headers?: Record<string, string>; contents?: Contents };

const NO_BODY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export function openS3(client: HttpClient, place: S3Place): Archive {
  const ask = asking(client, place);
  const archive: Archive = {
    nameFor: async (path) => [place.prefix, path].filter((it) => it !== "").join("/"),

    async put(name, contents, signal) {
      const md5 = Buffer.from(contents.md5, "hex").toString("base64");
      const headers = { "Content-Type": contents.mediaType, "Content-MD5": md5 };
      return done(await ask({ method: "PUT", name, headers, contents }, signal));
    },

    async check(name, sums, signal) {
      const answer = await ask({ method: "HEAD", name }, signal);
      if (isTrouble(answer)) return answer;
      answer.body.resume();
      const { "content-length": length, etag = "" } = answer.headers;
      if (Number(length) !== sums.size) return trouble("differs", `${length} bytes instead of ${sums.size}`);
      // A sum that the store has made itself says it all; where its tag is of another kind, only reading again does.
      return etag.replaceAll('"', "") === sums.md5 ? undefined : readAgain(archive, name, sums, signal);
    },

    async open(name, part, signal) {
      const answer = await ask({ method: "GET", name, headers: rangeHeader(part) }, signal);
      return isTrouble(answer) ? answer : partOf(answer, part);
    },

    async remove(name, signal) {
      const removed = done(await ask({ method: "DELETE", name }, signal));
      return removed?.trouble === "not-there" ? undefined : removed;
    },
  };
  return archive;
}

function done(answer: StoreAnswer | Trouble): Trouble | undefined {
  if (isTrouble(answer)) return answer;
  answer.body.resume();
  return undefined;
}

type Ask = (asked: Asked, signal?: AbortSignal) => Promise<StoreAnswer | Trouble>;

/** Answers of 200, 204 and 206; everything else in our words. */
function asking(client: HttpClient, place: S3Place): Ask {
  const cache = new Map<string, ArrayBuffer>(); // of the keys that sign, which change daily
  return (asked, signal) =>
    again(client.clock, async () => {
      const url = urlOf(place, asked.name);
      if (!url) return trouble("bad-address");
      if (cache.size > 4) cache.clear();
      const headers = await signed({ url, place, asked, cache, nowMs: client.clock.wall() });
      const { method, contents: body } = asked;
      const answer = await client.ask({ method, url, headers, signal, ...(body ? { body } : {}) });
      if (isTrouble(answer) || (answer.status >= 200 && answer.status < 300)) return answer;
      return troubleIn(answer, await wordsOf(answer));
    });
}

/** Undefined when bucket and endpoint make no URL. */
function urlOf({ endpoint, bucket, addressing }: S3Place, name: string): URL | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  const path = name.split("/").map(encoded).join("/");
  const base = url.pathname.replace(/\/+$/, "");
  if (addressing === "host") url.host = `${bucket}.${url.host}`;
  url.pathname = `${base}/${addressing === "path" ? `${encoded(bucket)}/` : ""}${path}`;
  return url;
}

/** As signatures want it (RFC 3986): nothing that some decode and others do not stays as it is. */
function encoded(word: string): string {
  return encodeURIComponent(word).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

type Signing = { url: URL; place: S3Place; asked: Asked; cache: Map<string, ArrayBuffer>; nowMs: number };

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
