// A whole server that keeps its files in a bucket: calls are recorded, sounds played and messages heard though no copy is here.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { isTrouble } from "../../src/archive/archive.ts";
import { openHttpClient } from "../../src/archive/http-client.ts";
import { realClock } from "../../src/clock.ts";
import { type Bucket, openBucket } from "../../src/objects/bucket.ts";
import { copiesIn } from "../../src/objects/cache.ts";
import { shardedPath } from "../../src/objects/objects.ts";
import { askServer } from "../../src/server/control-client.ts";
import type { FilesAnswer } from "../../src/server/open-files.ts";
import { BUCKET, openS3Server, S3_LOGIN, type S3Server } from "../customer/s3.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { santral } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import { recordingOf, talking } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown, strongestIn } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const LOGIN = { accessKey: S3_LOGIN.accessKey, secretKey: "not/to+be seen" };
const [ANN_SAYS, BOB_SAYS, SOUND] = [440, 660, 880];

let s3: S3Server;
let town: RealTown;
let bucket: Bucket;
let ann: Baresip;
let bob: Baresip;
let env: Record<string, string>;

beforeAll(async () => {
  s3 = await openS3Server(LOGIN);
  env = {
    SANTRAL_FILES_URL: `${s3.url}/${BUCKET}/santral`,
    SANTRAL_FILES_KEY: LOGIN.accessKey,
    SANTRAL_FILES_SECRET: LOGIN.secretKey,
  };
  const client = openHttpClient({ clock: realClock, privateAllowed: true });
  bucket = openBucket(client, {
    ...{ endpoint: s3.url, region: "us-east-1", bucket: BUCKET, prefix: "santral", addressing: "path" },
    ...LOGIN,
  });
  whenOver(() => s3.close());
  whenOver(() => client.close());
  town = await realTown(env);
  await town.command("exchange", "set", "record-internal=yes");
  [ann, bob] = await Promise.all([town.phone("1000", ANN_SAYS), town.phone("1001", BOB_SAYS)]);
});
beforeEach(() => {
  s3.front.misbehave = undefined;
  for (const phone of [ann, bob]) phone.forget();
});

const view = async () => (await askServer(join(town.data, "control.sock"), "files")) as FilesAnswer;
const allPaid = () => eventually("nothing is owed", async () => (await view()).owed === 0);
const localPath = (key: string) => join(town.data, "objects", shardedPath(key));
const isThere = async (key: string) => !isTrouble(await bucket.look(key));

async function recorded(): Promise<string[]> {
  const { cdrs } = JSON.parse(await town.ask("/cdrs")) as { cdrs: { call_uuid: string }[] };
  return cdrs.map(({ call_uuid: uuid }) => uuid);
}

/** They talk, and bob hangs up; the call's uuid. */
async function call(): Promise<string> {
  await eventually("no other is up", async () => (await town.command("calls", "list", "--json")).trim() === "[]");
  const before = await recorded();
  await ann.dial("1001");
  await bob.event("CALL_INCOMING");
  await bob.command("accept");
  await ann.event("CALL_ESTABLISHED");
  await talked([ann, BOB_SAYS], [bob, ANN_SAYS]);
  await bob.hangUp();
  await ann.event("CALL_CLOSED");
  return eventually("its record", async () => (await recorded()).find((uuid) => !before.includes(uuid)));
}

/** What an installation has from before there was a bucket. */
async function onlyHere(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of copiesIn(join(town.data, "objects"))) if (!(await isThere(key))) keys.push(key);
  return keys;
}

/** Nothing of it is left here. */
async function takeAway(prefix: string): Promise<void> {
  await allPaid();
  const folder = join(town.data, "objects", prefix);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of names) rmSync(join(folder, name), { force: true, recursive: true });
  expect(readdirSync(folder)).toEqual([]);
}

test(
  "a recording that lies only in the bucket is heard, whole and in part",
  shows("interface: files in an S3 bucket", "s3rver"),
  async () => {
    const uuid = await call();
    await eventually("it is compressed and there", () => isThere(`recordings/${uuid}.mp3`));
    await eventually("and no longer as it was recorded", async () => !(await isThere(`recordings/${uuid}.wav`)));
    await takeAway("recordings");
    const url = await town.post("/recording_url", { call_uuid: uuid });
    const part = await fetch(url, { headers: { Range: "bytes=100-199" } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100]);
    const sound = await recordingOf(town, uuid);
    expect(strongestIn(sound, ANN_SAYS, 500)).toBeGreaterThan(CLEAR / 2);
    expect(existsSync(localPath(`recordings/${uuid}.mp3`))).toBe(true);
    expect((await view()).fetches).toBe(1);
  },
);

test("the files of an older installation move into the bucket; what is wrong with it is said in words", async () => {
  await allPaid();
  const older = "sounds/older.wav";
  mkdirSync(dirname(localPath(older)), { recursive: true });
  copyFileSync(town.tone(SOUND), localPath(older));
  const missing = await onlyHere();
  expect(missing).toContain(older);
  const uploaded = await santral(town.data, ["files", "upload"], { env });
  expect([uploaded.code, uploaded.stderr]).toEqual([0, expect.anything()]);
  expect(uploaded.stdout).toContain(`everything is in the bucket; ${missing.length} files were not before`);
  expect(await onlyHere()).toEqual([]);
  const shown = JSON.parse((await santral(town.data, ["files", "show", "--json"], { env })).stdout);
  expect(shown).toMatchObject({ bucket: `${s3.url}/${BUCKET}/santral`, owed: 0 });
  const tried = await santral(town.data, ["files", "test"], { env });
  expect([tried.code, tried.stdout]).toEqual([
    0,
    expect.stringContaining("a file was written, read back, listed and deleted"),
  ]);
  const wrong = await santral(town.data, ["files", "test"], { env: { ...env, SANTRAL_FILES_SECRET: "wrong" } });
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain("it does not take the key or password (SignatureDoesNotMatch)");
  const nowhere = await santral(town.data, ["files", "test"], {
    env: { ...env, SANTRAL_FILES_URL: `${s3.url}/nirgends` },
  });
  expect(nowhere.stdout).toContain("the bucket or folder is not there (NoSuchBucket)");
});

test(
  "a phone hears a sound that lies only in the bucket",
  shows("interface: files in an S3 bucket", "baresip"),
  async () => {
    const sounddata = `data:audio/wav;name:tone.wav;base64,${readFileSync(town.tone(SOUND)).toString("base64")}`;
    await town.post("/announcements", { name: "Ton", sounddata });
    const sounds = JSON.parse(await town.ask("/announcements")) as { id: number; name: string }[];
    const { id } = sounds.find(({ name }) => name === "Ton")!;
    await town.command("extension", "set", "1002", `forward-always=announcement/${id}`);
    await takeAway("sounds");
    const ear = await earOf(ann);
    await ann.dial("1002");
    await ann.event("CALL_ESTABLISHED");
    await ear.hears(SOUND);
    await ann.hangUp();
    await ann.event("CALL_CLOSED");

    // While the bucket is away and no copy is here, the call goes on as with a sound that is missing.
    await takeAway("sounds");
    s3.front.misbehave = (_heard, response) => response.writeHead(503).end() !== undefined;
    await ann.dial("1002");
    await ann.event("CALL_CLOSED");
    await eventually("the log says so", async () => town.santral.output().includes("a sound could not be played"));
  },
);

test("a message is heard from the bucket", async () => {
  await ann.dial("*981001");
  await ann.event("CALL_ESTABLISHED");
  const heard = await earOf(ann);
  await heard.hears(1_000);
  await talking(3_000);
  await ann.hangUp();
  await ann.event("CALL_CLOSED");
  await eventually("it is left", async () =>
    (await town.ask("/voicemail_messages", { user_number: "1001" })).includes('"uuid"'),
  );
  await takeAway("voicemail");
  const ear = await earOf(bob);
  await bob.dial("*97");
  await bob.event("CALL_ESTABLISHED");
  await ear.hears(ANN_SAYS, { forMs: 1_000 });
  await bob.hangUp();
  await bob.event("CALL_CLOSED");
});

test("calls end while the bucket is away, and the server is killed: everything is there in the end", async () => {
  s3.front.misbehave = (_heard, response) => response.writeHead(500).end() !== undefined;
  const [first, second] = [await call(), await call()];
  expect((await town.santral.get("/readyz")).status).toBe(200);
  expect(await (await town.santral.get("/metrics")).text()).toMatch(/^santral_files_owed [1-9]/m);
  // One is under way, and no answer comes, when the kill does.
  s3.front.misbehave = ({ method }) => method === "PUT";
  // On a slow machine the bucket was away for so long that it is asked once a minute.
  await eventually("one is under way", async () => s3.front.heard.at(-1)?.method === "PUT", 150);
  await town.restart(() => {
    s3.front.misbehave = undefined;
  });
  for (const uuid of [first, second]) await eventually("it is there", () => isThere(`recordings/${uuid}.mp3`));
  await allPaid();
  await takeAway("recordings");
  for (const uuid of [first, second])
    expect(strongestIn(await recordingOf(town, uuid), ANN_SAYS, 500)).toBeGreaterThan(CLEAR / 2);
  expect(town.santral.output()).not.toContain(LOGIN.secretKey);
});

test("everything comes back, and the server goes on without the bucket", async () => {
  await takeAway("recordings");
  const fetched = await santral(town.data, ["files", "fetch"], { env });
  expect([fetched.code, fetched.stderr]).toEqual([0, ""]);
  expect(fetched.stdout).toContain("everything is in the data folder now");
  const here = readdirSync(join(town.data, "objects", "recordings"), { recursive: true, encoding: "utf8" });
  expect(here.filter((name) => name.endsWith(".mp3"))).toHaveLength(3);
});
