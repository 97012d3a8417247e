// Recordings that lie outside, fetched by their tickets: as if they were here, and what is said when the store is away.

import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { BUCKET, openS3Server, S3_LOGIN, type S3Server } from "../../../test/customer/s3.ts";
import { secrets } from "../../../test/ground/secrets.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import { isTrouble } from "../../archive/archive.ts";
import { openHttpClient } from "../../archive/http-client.ts";
import { realClock, since } from "../../clock.ts";
import { openArchives } from "../../exchange/archiving/archives.ts";
import { setArchive } from "../../exchange/archiving/settings.ts";
import { listArchives } from "../../store/archives.ts";
import { sql } from "../../store/sql.ts";
import { issueTicket } from "../../store/tickets.ts";

/** Long enough for a machine that does much else, and over soon all the same. */
const PATIENCE_MS = 4_000;
const client = openHttpClient({ clock: realClock, privateAllowed: true, patienceMs: PATIENCE_MS });
const archives = openArchives({ client, secrets });
const town = await consoleTown({ archives });
const bytes = randomBytes(300_000);
const callUuid = randomUUID();
let s3: S3Server;
let path: string;

beforeAll(async () => {
  s3 = await openS3Server();
  whenOver(async () => {
    archives.close();
    await s3.close();
  });
  const exchangeId = town.ours.id;
  const place = {
    kind: "s3",
    url: s3.url,
    bucket: BUCKET,
    user: S3_LOGIN.accessKey,
    secret: S3_LOGIN.secretKey,
  } as const;
  const set = await setArchive({ db: town.db, secrets, exchangeId }, place);
  if ("refused" in set) throw new Error(set.refused);
  const archive = await archives.open(town.db, exchangeId, set.id);
  if (isTrouble(archive)) throw new Error(archive.trouble);
  const sum = (kind: string) => createHash(kind).update(bytes).digest("hex");
  const sums = { size: bytes.length, sha256: sum("sha256"), md5: sum("md5") };
  await archive.put("there.mp3", { ...sums, mediaType: "audio/mpeg", open: () => Readable.from([bytes]) });
  await town.db.query(
    sql`insert into recordings (call_uuid, exchange_id, object_key, media_type, archive_id, archive_name, archived_size,
       archived_sha256, archived_md5, archived_at, local_gone_at)
     values ($1, $2, 'recordings/gone.mp3', 'audio/mpeg', $3, 'there.mp3', $4, $5, $6, now(), now())`,
    [callUuid, exchangeId, set.id, sums.size, sums.sha256, sums.md5],
  );
  const { ticket } = await issueTicket(town.db, {
    ...{ opens: "recording", subject: callUuid, now: realClock.wall() },
    exchangeId,
  });
  path = `/recording/${ticket}`;
});
beforeEach(() => {
  s3.front.misbehave = undefined;
});

const fetched = (init: RequestInit = {}) => fetch(`http://${town.server.address}${path}`, init);
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test("whole, in parts and by HEAD it is what it was here", async () => {
  const { text } = await town.ask(`GET /recording_url?call_uuid=${callUuid}`);
  expect(text).toContain("/recording/R");
  const whole = await fetched();
  expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
  expect((await bodyOf(whole)).equals(bytes)).toBe(true);
  const part = await fetched({ headers: { range: "bytes=1000-1999" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 1000-1999/300000"]);
  expect((await bodyOf(part)).equals(bytes.subarray(1_000, 2_000))).toBe(true);
  const end = await fetched({ headers: { range: "bytes=-10" } });
  expect((await bodyOf(end)).equals(bytes.subarray(-10))).toBe(true);
  expect((await fetched({ headers: { range: "bytes=300000-" } })).status).toBe(416);
  const asked = s3.front.heard.length;
  const head = await fetched({ method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, "300000"]);
  expect(s3.front.heard).toHaveLength(asked);
});

test("the console plays it, for its own people only", async () => {
  const boss = await town.member("administrator");
  const response = await boss.get(`/console/sound/recording/${callUuid}`, { range: "bytes=5-9" });
  expect(response.status).toBe(206);
  expect((await bodyOf(response)).equals(bytes.subarray(5, 10))).toBe(true);
  const stranger = await town.member("administrator", town.theirs.id);
  expect((await stranger.get(`/console/sound/recording/${callUuid}`)).status).toBe(404);
  expect((await stranger.ask("archive.show", {})).settings).toBeNull();
});

test("a store that hangs, refuses or has lost it is told of by a sentence, in time, and the record stays", async () => {
  const sentence = "the archive that holds this recording does not answer, try again later";
  s3.front.misbehave = () => true;
  const began = realClock.ticks();
  const hanging = await fetched({ headers: { range: "bytes=0-9" } });
  expect([hanging.status, await hanging.text()]).toEqual([503, sentence]);
  expect(hanging.headers.get("content-range")).toBeNull();
  expect(since(realClock, began)).toBeLessThan(PATIENCE_MS + 10_000);
  const [row] = await listArchives(town.db, town.ours.id);
  expect(row).toMatchObject({ trouble: { trouble: "late" } });
  for (const status of [403, 404]) {
    s3.front.misbehave = (_heard, response) => {
      response.writeHead(status).end();
      return true;
    };
    expect((await fetched()).status).toBe(503);
  }
  s3.front.misbehave = undefined;
  expect((await fetched()).status).toBe(200);
});

test("a connection that breaks in the middle is taken up again where it broke", async () => {
  let breaks = 2;
  s3.front.misbehave = ({ headers }, response) => {
    if (breaks-- <= 0) return false;
    const from = Number(/bytes=(\d+)/.exec(String(headers.range ?? "bytes=0"))?.[1]);
    const said = { "content-length": bytes.length - from, "content-range": `bytes ${from}-299999/300000` };
    response.writeHead(from === 0 ? 200 : 206, said);
    response.write(bytes.subarray(from, from + 100_000), () => response.destroy());
    return true;
  };
  expect((await bodyOf(await fetched())).equals(bytes)).toBe(true);
  expect(breaks).toBeLessThan(0);
});

test("a store that dies in the middle does not make half a recording look whole", async () => {
  s3.front.misbehave = (_heard, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, 100_000), () => response.destroy());
    s3.front.misbehave = (_later, response) => {
      response.destroy();
      return true;
    };
    return true;
  };
  await expect(fetched().then(bodyOf)).rejects.toThrow();
});
