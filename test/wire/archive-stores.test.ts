// The three kinds of stores outside: against s3rver, rclone's WebDAV and what stands in for Google Drive, well and badly.

import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Archive, type Contents, isTrouble } from "../../src/archive/archive.ts";
import { openGoogleDrive } from "../../src/archive/google-drive.ts";
import { readGoogleKey } from "../../src/archive/google-key.ts";
import { openHttpClient } from "../../src/archive/http-client.ts";
import { probe } from "../../src/archive/probe.ts";
import { openS3 } from "../../src/archive/s3.ts";
import type { S3Place } from "../../src/archive/s3-requests.ts";
import { openWebDav } from "../../src/archive/webdav.ts";
import { realClock } from "../../src/clock.ts";
import { type DriveServer, openDriveServer } from "../customer/google-drive.ts";
import { BUCKET, openS3Server, S3_HOST, S3_LOGIN, type S3Server, signatureOf } from "../customer/s3.ts";
import { DAV_LOGIN, type DavServer, openDavServer } from "../customer/webdav.ts";
import { shows } from "../ground/interop.ts";
import { whenOver } from "../ground/when-over.ts";

const client = openHttpClient({ clock: realClock, privateAllowed: true });
whenOver(() => client.close());

let s3: S3Server;
let dav: DavServer;
let drive: DriveServer;

beforeAll(async () => {
  [s3, dav, drive] = await Promise.all([openS3Server(), openDavServer(), openDriveServer()]);
  whenOver(() => Promise.all([s3.close(), dav.close(), drive.close()]));
});
beforeEach(() => {
  s3.front.misbehave = undefined;
  drive.front.misbehave = undefined;
  drive.mayDelete = true;
});

function file(size: number): Contents & { bytes: Buffer } {
  const bytes = randomBytes(size);
  const sum = (kind: string) => createHash(kind).update(bytes).digest("hex");
  const pieces = function* () {
    for (let at = 0; at < size; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
  };
  return {
    bytes,
    size,
    sha256: sum("sha256"),
    md5: sum("md5"),
    mediaType: "audio/mpeg",
    open: () => Readable.from(pieces()),
  };
}

async function read(archive: Archive, name: string, part: { from: number; to: number; size: number }): Promise<Buffer> {
  const stream = await archive.open(name, part);
  if (isTrouble(stream)) throw new Error(JSON.stringify(stream));
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

const s3With = (changes: Partial<S3Place> = {}, by = client) =>
  openS3(by, {
    ...{ endpoint: s3.url, region: "eu-central-1", bucket: BUCKET, prefix: "santral/sesler", addressing: "path" },
    ...S3_LOGIN,
    ...changes,
  });
const davWith = (changes: Partial<typeof DAV_LOGIN & { url: string }> = {}, by = client) =>
  openWebDav(by, { url: dav.url, prefix: "Ses kayıtları", ...DAV_LOGIN, ...changes });
const driveWith = (changes: { folder?: string; url?: string; key?: string } = {}, by = client) =>
  openGoogleDrive(by, {
    url: changes.url ?? drive.url,
    folder: changes.folder ?? drive.folder,
    key: readGoogleKey(changes.key ?? drive.key)!,
  });

const kinds: [name: string, open: () => Archive][] = [
  ["S3", () => s3With()],
  ["WebDAV", () => davWith()],
  ["Google Drive", () => driveWith()],
];

describe.each(kinds)("%s", (kind, open) => {
  const shown =
    kind === "WebDAV"
      ? shows("interface: recording archive by WebDAV", "rclone")
      : kind === "S3"
        ? shows("interface: recording archive by S3", "s3rver")
        : {};

  test("takes a file of some megabytes, gives it back whole and in parts, and lets it go", shown, async () => {
    const archive = open();
    const contents = file(3_000_001);
    const name = await archive.nameFor("2026/01/05/a call.mp3");
    if (isTrouble(name)) throw new Error(JSON.stringify(name));
    expect(await archive.put(name, contents)).toBeUndefined();
    expect(await archive.check(name, contents)).toBeUndefined();
    const { size } = contents;
    expect((await read(archive, name, { from: 0, to: size - 1, size })).equals(contents.bytes)).toBe(true);
    const middle = await read(archive, name, { from: 1_234_567, to: 2_000_000, size });
    expect(middle.equals(contents.bytes.subarray(1_234_567, 2_000_001))).toBe(true);
    // Once more under the same name, as after a crash, and with other contents.
    const other = file(1_000);
    expect(await archive.put(name, other)).toBeUndefined();
    expect(await archive.check(name, other)).toBeUndefined();
    expect(await archive.check(name, contents)).toMatchObject({ trouble: "differs" });
    expect(await archive.open(name, { from: 0, to: size - 1, size })).toMatchObject({ trouble: "differs" });
    expect(await archive.remove(name)).toBeUndefined();
    expect(await archive.remove(name)).toBeUndefined();
    expect(await archive.check(name, other)).toMatchObject({ trouble: "not-there" });
    expect(await archive.open(name, { from: 0, to: 999, size: 1_000 })).toMatchObject({ trouble: "not-there" });
  });

  test("is tried out with a file that does not stay", async () => {
    expect(await probe(open())).toEqual({ ok: true });
  });
});

describe("S3", () => {
  // "Example: GET Object" of Amazon's own page on signatures: what checks ours is right.
  test("signatures are checked by the book", () => {
    const headers = {
      host: "examplebucket.s3.amazonaws.com",
      range: "bytes=0-9",
      "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "x-amz-date": "20130524T000000Z",
    };
    const credential = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request";
    const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    expect(signatureOf({ method: "GET", url: "/test.txt", headers, credential }, secret)).toBe(
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    );
  });

  test("the bucket may stand before the host", async () => {
    const resolve = (_host: string, done: (error: null, found: { address: string; family: number }[]) => void) =>
      done(null, [{ address: "127.0.0.1", family: 4 }]);
    const byName = openHttpClient({ clock: realClock, privateAllowed: true, resolve });
    whenOver(() => byName.close());
    const endpoint = `http://${S3_HOST}:${s3.front.port}`;
    expect(await probe(s3With({ endpoint, addressing: "host" }, byName))).toEqual({ ok: true });
    expect(s3.front.heard.at(-1)?.headers.host).toBe(`${BUCKET}.${S3_HOST}:${s3.front.port}`);
  });

  test("names with every kind of sign are signed as they are sent", async () => {
    const archive = s3With({ prefix: "Çağrı (1) + a=b&c'd*!~" });
    expect(await probe(archive)).toEqual({ ok: true });
  });

  test("a wrong key, a wrong secret and a bucket that is not there are told apart", async () => {
    expect(await probe(s3With({ accessKey: "nobody" }))).toMatchObject({ step: "write", trouble: "login" });
    const wrong = await probe(s3With({ secretKey: "wrong" }));
    expect(wrong).toMatchObject({ step: "write", trouble: "login", detail: "SignatureDoesNotMatch" });
    expect(await probe(s3With({ bucket: "nirgends" }))).toMatchObject({ step: "write", trouble: "no-place" });
  });

  test("a bucket in another region says where", async () => {
    s3.front.misbehave = (_heard, response) => {
      response.writeHead(301, { "x-amz-bucket-region": "ap-south-1", location: "http://elsewhere.example/" }).end();
      return true;
    };
    expect(await probe(s3With())).toMatchObject({ trouble: "region", detail: "ap-south-1" });
  });

  test("a store that stumbles once is asked again", async () => {
    let stumbles = 2;
    s3.front.misbehave = (_heard, response) => {
      if (stumbles-- <= 0) return false;
      response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
      return true;
    };
    expect(await probe(s3With())).toEqual({ ok: true });
  });

  test("a store that changes what it is given is found out", async () => {
    const contents = file(5_000);
    const archive = s3With();
    expect(await archive.put("a", contents)).toBeUndefined();
    // Its tag is of another kind, as with some ways of encrypting: the file itself decides.
    s3.front.misbehave = ({ method }, response) => {
      if (method === "HEAD") response.writeHead(200, { "content-length": 5_000, etag: '"other-2"' }).end();
      return method === "HEAD";
    };
    expect(await archive.check("a", contents)).toBeUndefined();
    s3.front.misbehave = ({ method }, response) => {
      response.writeHead(200, { "content-length": 5_000, etag: '"other-2"' });
      response.end(method === "HEAD" ? undefined : Buffer.alloc(5_000));
      return true;
    };
    expect(await archive.check("a", contents)).toMatchObject({ trouble: "differs", detail: "SHA-256" });
    s3.front.misbehave = (_heard, response) => {
      response.writeHead(200, { "content-length": 4_999, etag: `"${contents.md5}"` }).end();
      return true;
    };
    expect(await archive.check("a", contents)).toMatchObject({ trouble: "differs" });
  });
});

describe("WebDAV", () => {
  test("a wrong password and a folder that is not there are told apart", async () => {
    expect(await probe(davWith({ password: "wrong" }))).toMatchObject({ step: "write", trouble: "login" });
    expect(await probe(davWith({ url: `${dav.url}/not/here` }))).toMatchObject({ step: "write", trouble: "no-place" });
  });
});

describe("Google Drive", () => {
  test("a wrong key and a folder that is not there are told apart", async () => {
    const stranger = drive.key.replace(/kayit@/, "baskasi@");
    expect(await probe(driveWith({ key: stranger }))).toMatchObject({ trouble: "login", detail: "invalid_grant" });
    expect(await probe(driveWith({ folder: "nowhere" }))).toMatchObject({ step: "write", trouble: "no-place" });
    for (const text of ["", "{}", "null", "[]", drive.key.replace("PRIVATE", "PUBLIC")])
      expect(readGoogleKey(text)).toBeUndefined();
  });

  test("where nothing may be deleted for good, it goes into the bin", async () => {
    drive.mayDelete = false;
    const archive = driveWith();
    const name = (await archive.nameFor("a.mp3")) as string;
    const contents = file(100);
    await archive.put(name, contents);
    expect(await archive.remove(name)).toBeUndefined();
    expect(await archive.check(name, contents)).toMatchObject({ trouble: "not-there" });
  });

  test("an upload that leads elsewhere is not followed", async () => {
    drive.front.misbehave = ({ url }, response) => {
      const begins = url.startsWith("/upload/");
      if (begins) response.writeHead(200, { location: "http://127.0.0.2:1/session" }).end();
      return begins;
    };
    expect(await probe(driveWith())).toMatchObject({ trouble: "redirected" });
  });

  test("a token that was taken back is replaced", async () => {
    const archive = driveWith();
    expect(await probe(archive)).toEqual({ ok: true });
    let refusals = 1;
    drive.front.misbehave = ({ url }, response) => {
      if (!url.startsWith("/drive/") || refusals-- <= 0) return false;
      response.writeHead(401).end("{}");
      return true;
    };
    expect(await probe(archive)).toMatchObject({ trouble: "login" });
    expect(await probe(archive)).toEqual({ ok: true });
  });
});

describe("a store that behaves badly", () => {
  const hasty = openHttpClient({ clock: realClock, privateAllowed: true, patienceMs: 400, answerMs: 400 });
  whenOver(() => hasty.close());

  test("and never answers is waited for only so long", async () => {
    s3.front.misbehave = () => true;
    expect(await probe(s3With({}, hasty))).toMatchObject({ trouble: "late" });
  });

  test("and stops in the middle of a file, or ends it early, never makes it look whole", async () => {
    const contents = file(200_000);
    await s3With().put("b", contents);
    s3.front.misbehave = (_heard, response) => {
      response.writeHead(200, { "content-length": 200_000 });
      response.write(contents.bytes.subarray(0, 100_000));
      return true;
    };
    await expect(read(s3With({}, hasty), "b", { from: 0, to: 199_999, size: 200_000 })).rejects.toThrow();
    s3.front.misbehave = (_heard, response) => {
      response.write(contents.bytes.subarray(0, 100_000)); // in chunks: there is no length to go by
      response.end();
      return true;
    };
    await expect(read(s3With(), "b", { from: 0, to: 199_999, size: 200_000 })).rejects.toThrow("100000 bytes early");
  });

  test("and sends us elsewhere is not followed, with our key least of all", async () => {
    const seen = s3.front.heard.length;
    for (const status of [301, 302, 307, 308]) {
      drive.front.misbehave = (_heard, response) => {
        response.writeHead(status, { location: s3.url }).end();
        return true;
      };
      expect(await probe(openWebDav(client, { url: drive.url, prefix: "", ...DAV_LOGIN }))).toMatchObject({
        trouble: "redirected",
      });
    }
    expect(s3.front.heard).toHaveLength(seen);
  });

  test("and ignores ranges still serves the middle", async () => {
    const contents = file(10_000);
    s3.front.misbehave = (_heard, response) => {
      response.writeHead(200, { "content-length": 10_000 }).end(contents.bytes);
      return true;
    };
    const part = await read(s3With(), "c", { from: 5_000, to: 5_099, size: 10_000 });
    expect(part.equals(contents.bytes.subarray(5_000, 5_100))).toBe(true);
  });

  test("and stands where only this machine can reach it is not called", async () => {
    const strict = openHttpClient({ clock: realClock, privateAllowed: false });
    const rebinding = openHttpClient({
      clock: realClock,
      privateAllowed: false,
      resolve: (_host, done) => done(null, [{ address: "10.0.0.5", family: 4 }]),
    });
    whenOver(() => [strict.close(), rebinding.close()]);
    const seen = s3.front.heard.length;
    expect(await probe(s3With({}, strict))).toMatchObject({ trouble: "not-public" });
    expect(await probe(s3With({ endpoint: "https://store.example" }, rebinding))).toMatchObject({
      trouble: "not-public",
    });
    expect(await probe(s3With({ endpoint: "http://8.8.8.8" }, strict))).toMatchObject({ trouble: "not-encrypted" });
    expect(await probe(driveWith({ url: "https://drive.example" }, strict))).toMatchObject({ trouble: "not-public" });
    expect(s3.front.heard).toHaveLength(seen);
  });
});
