import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { rotateKeys } from "../cli/rotate-keys.ts";
import { realClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import { makeRing, readRing } from "../secrets/key-file.ts";
import type { Ring } from "../secrets/ring.ts";
import { openSecrets } from "../secrets/secrets.ts";
import type { Database } from "../store/db.ts";
import { readSigningSecret, renewSigningSecret } from "../store/event-receivers.ts";
import { createExchange } from "../store/exchanges.ts";
import { sql } from "../store/sql.ts";
import { readTrunkSetups } from "../store/trunk-state.ts";
import { createTrunk } from "../store/trunks.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

let folder: string;
let db: Database;
let exchangeId: number;
let signing: string;
const at = (name: string) => join(folder, name);
const ringAt = (name: string) => readRing(at(name)) as Ring;
const secretsAt = (name: string) => openSecrets({ read: () => readRing(at(name)), log: silentLog });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-backup-keys-"));
  ({ db } = await freshDatabase());
  await makeRing(at("ours.keys"), 0);
  const secrets = secretsAt("ours.keys");
  const made = await createExchange(db, secrets, { name: "ours", sipDomain: "ours.example" });
  if ("refused" in made) throw new Error(made.refused);
  exchangeId = made.id;
  await createTrunk(db, secrets, { exchangeId, name: "t", host: "h.example", changes: { password: "trunk-81" } });
  signing = await renewSigningSecret(db, secrets, exchangeId);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const backUpTo = (name: string, keys?: string) =>
  backUp({
    db,
    objectsFolder: at("objects"),
    file: at(name),
    version: "0.0.0",
    clock: realClock,
    keyFile: keys === undefined ? undefined : at(keys),
  });

/** On another machine: an empty database of its own, and a place for keys. */
async function restoreFrom(name: string, keyFile: string, more: { broughtKeys?: Ring; withoutKeys?: boolean } = {}) {
  const { owner } = await freshDatabase();
  const file = at(name);
  const needs = { db: owner, objectsFolder: at(`objects-${keyFile}`), file, migrationsFolder: "src/store/migrations" };
  return { owner, done: await restore({ ...needs, keyFile: at(keyFile), ...more }) };
}

async function secretsOf(owner: Database, keyFile: string) {
  const secrets = secretsAt(keyFile);
  const { trunks } = await readTrunkSetups(owner, secrets);
  return { trunk: trunks[0]?.password, signing: await readSigningSecret(owner, secrets, exchangeId) };
}

const works = () => ({ trunk: "trunk-81", signing });

test("an archive has the keys in it, and its secrets work on another machine, even after the keys have changed here", async () => {
  await writeFile(at("whole.tar.gz.draft"), "somebody else's, and open to all", { mode: 0o666 });
  expect(await backUpTo("whole.tar.gz", "ours.keys")).toMatchObject({ keys: "inside" });
  expect((await stat(at("whole.tar.gz"))).mode & 0o777).toBe(0o600);
  expect(gunzipSync(await readFile(at("whole.tar.gz"))).includes("trunk-81")).toBe(false);
  await rotateKeys({ db, file: at("ours.keys"), clock: realClock });

  const { owner, done } = await restoreFrom("whole.tar.gz", "elsewhere.keys");
  expect(done).toMatchObject({ rows: expect.any(Number) });
  expect((await stat(at("elsewhere.keys"))).mode & 0o777).toBe(0o600);
  expect(await secretsOf(owner, "elsewhere.keys")).toEqual(works());
});

test("keys that were there already stay, beside those of the archive, which seal from now on", async () => {
  await backUpTo("second.tar.gz", "ours.keys");
  await makeRing(at("busy.keys"), 0);
  const before = ringAt("busy.keys");
  const { owner } = await restoreFrom("second.tar.gz", "busy.keys");
  const { current } = ringAt("ours.keys");
  expect(ringAt("busy.keys")).toEqual({ current, keys: [...ringAt("ours.keys").keys, ...before.keys] });
  expect(await secretsOf(owner, "busy.keys")).toEqual(works());
});

test("an archive without its keys holds none, and comes back only with the keys, or when that is wanted", async () => {
  expect(await backUpTo("bare.tar.gz")).toMatchObject({ keys: "left-out" });
  const [key] = ringAt("ours.keys").keys;
  const tar = gunzipSync(await readFile(at("bare.tar.gz")));
  expect(tar.includes(key!.bytes.toString("base64"))).toBe(false);
  const refused = await restoreFrom("bare.tar.gz", "none.keys");
  expect(refused.done).toEqual({ refused: "keys-missing", ids: [key!.id] });
  expect(await refused.owner.query(sql`select id from exchanges`)).toEqual([]);
  expect(readRing(at("none.keys"))).toMatchObject({ missing: "no-file" });

  const brought = await restoreFrom("bare.tar.gz", "brought.keys", { broughtKeys: ringAt("ours.keys") });
  expect(await secretsOf(brought.owner, "brought.keys")).toEqual(works());

  const without = await restoreFrom("bare.tar.gz", "none.keys", { withoutKeys: true });
  expect(without.done).toMatchObject({ rows: expect.any(Number) });
  expect(await secretsOf(without.owner, "none.keys")).toEqual({
    trunk: null,
    signing: { unreadable: "no-key", keyId: key!.id },
  });
});

test("a backup whose keys are missing is made all the same, and says so; a broken file of keys here is left alone", async () => {
  expect(await backUpTo("lost.tar.gz", "nowhere.keys")).toMatchObject({ keys: "missing" });
  await writeFile(at("broken.keys"), "{");
  const { done } = await restoreFrom("whole.tar.gz", "broken.keys");
  expect(done).toMatchObject({ refused: "keys-unusable" });
  expect(await readFile(at("broken.keys"), "utf8")).toBe("{");
});

test("an archive that is made while keys change has the keys of its rows", async () => {
  let rotating = true;
  const rotations = (async () => {
    while (rotating) await rotateKeys({ db, file: at("ours.keys"), clock: realClock });
  })();
  for (const round of [1, 2, 3]) {
    await backUpTo(`moving-${round}.tar.gz`, "ours.keys");
    const { owner } = await restoreFrom(`moving-${round}.tar.gz`, `moving-${round}.keys`);
    expect(await secretsOf(owner, `moving-${round}.keys`)).toEqual(works());
  }
  rotating = false;
  await rotations;
});
