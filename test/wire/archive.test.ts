// A whole server and a store outside: set by commands, killed while it puts recordings away, backed up and restored.

import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { shardedPath } from "../../src/objects/objects.ts";
import { openDatabase } from "../../src/store/db.ts";
import { embeddedUrls } from "../../src/store/embedded-roles.ts";
import { sql } from "../../src/store/sql.ts";
import { BUCKET, openS3Server, S3_LOGIN, type S3Server } from "../customer/s3.ts";
import { eventually } from "../ground/eventually.ts";
import { shows } from "../ground/interop.ts";
import { putMadeFolder } from "../ground/made-folder.ts";
import { ownCommand } from "../ground/own-command.ts";
import { tablesWith } from "../ground/readable.ts";
import { santral, startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";

vi.setConfig({ testTimeout: 600_000 }); // a server is started several times

const RECORDINGS = Number(process.env.SANTRAL_TEST_RECORDINGS ?? 40);
const KILLS = Number(process.env.SANTRAL_TEST_KILLS ?? 2);
const SECRET = "a secret key that nobody sees";

const folder = join(temporaryFolder(), "data");
const env = { SANTRAL_PRIVATE_WEBHOOKS: "true" };

async function json(words: string[], where = folder): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await ownCommand(where, [...words, "--json"], { env });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function inDatabase<Result>(work: (db: ReturnType<typeof openDatabase>) => Promise<Result>, where = folder) {
  const db = openDatabase(embeddedUrls(join(where, "pg")).server, realClock, { connections: 2 });
  return work(db).finally(() => db.close());
}

const soundOf = (uuid: string) => createHash("sha512").update(uuid).digest().toString("hex").repeat(400);
const fileOf = (uuid: string, where = folder) => join(where, "objects", shardedPath(`recordings/${uuid}.mp3`));

/** As they lie there once they are kept and compressed. */
async function keepRecordings(): Promise<string[]> {
  const uuids = Array.from({ length: RECORDINGS }, () => randomUUID());
  for (const uuid of uuids) {
    mkdirSync(dirname(fileOf(uuid)), { recursive: true });
    writeFileSync(fileOf(uuid), soundOf(uuid));
  }
  await inDatabase(async (db) => {
    await db.query(
      sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number,
         recording, hangup_cause)
       select (select min(id) from exchanges), uuid, 'inbound', now(), now(), '1', '2', 'present', 'NORMAL_CLEARING'
       from unnest($1::uuid[]) as uuid`,
      [uuids],
    );
    await db.query(
      sql`insert into recordings (call_uuid, exchange_id, object_key, media_type)
       select uuid, (select min(id) from exchanges), 'recordings/' || uuid || '.mp3', 'audio/mpeg' from unnest($1::uuid[]) as uuid`,
      [uuids],
    );
  });
  return uuids;
}

type State = { archived: number; gone: number };
const stateNow = () =>
  inDatabase(async (db) => {
    const [row] = await db.query<State>(
      sql`select count(archived_at) as archived, count(local_gone_at) as gone from recordings`,
    );
    return row!;
  });

/** The sixth recording that gets so far, and all after it, wait for an answer; kept when it is there. */
function holdAt({ front }: S3Server, held: "PUT" | "HEAD"): Promise<void> {
  let left = 5;
  return new Promise((there) => {
    front.misbehave = ({ method }) => {
      if (method !== held || left-- > 0) return false;
      there();
      return true;
    };
  });
}

async function letGo({ front }: S3Server): Promise<void> {
  front.misbehave = undefined;
}

test(
  "recordings reach their store through kills, and are served, backed up and restored",
  shows("interface: recording archive by S3", "s3rver"),
  async () => {
    const s3 = await openS3Server({ accessKey: S3_LOGIN.accessKey, secretKey: SECRET });
    whenOver(() => s3.close());
    await putMadeFolder(folder);
    let server = await startProcess(folder, { env });
    const { key } = (await json(["key", "create"])) as { key: string };

    const place = [`kind=s3`, `url=${s3.url}`, `bucket=${BUCKET}`, `user=${S3_LOGIN.accessKey}`, "local-days=1"];
    const tried = await santral(folder, ["archive", "test", ...place, "secret=wrong"], { env });
    expect([tried.code, tried.stdout.trim()]).toEqual([
      1,
      "A test file could not be written: it does not take the key or password (SignatureDoesNotMatch)",
    ]);
    const uuids = await keepRecordings();
    let held = holdAt(s3, "PUT");
    const input = `${SECRET}\n`;
    const noted = await santral(folder, ["archive", "set", ...place, "--secret-file", "-"], { env, input });
    expect(noted.code, noted.stderr).toBe(0);
    // Killed while one is on its way, and then while one is there and nobody has written so.
    for (let kill = 1; kill <= KILLS; kill++) {
      await held;
      expect(await server.end("SIGKILL")).toBe("SIGKILL");
      held = kill === KILLS ? letGo(s3) : holdAt(s3, kill % 2 === 1 ? "HEAD" : "PUT");
      server = await startProcess(folder, { env });
      // What was under way is tried again when its lease is over; nobody waits for that minute here.
      await inDatabase((db) =>
        db.query(sql`update jobs set run_at = 'epoch', lease = null where kind like 'recording.%'`),
      );
    }
    await eventually("all are there", async () => (await stateNow()).archived === RECORDINGS);
    expect(await stateNow()).toEqual({ archived: RECORDINGS, gone: 0 });
    expect(await json(["archive", "show"])).toMatchObject({
      on: true,
      has_secret: true,
      archived: RECORDINGS,
      waiting: 0,
    });

    // Two days later.
    await inDatabase((db) => db.query(sql`update recordings set archived_at = archived_at - interval '2 days'`));
    await json(["archive", "set", "local-days=1"]);
    await eventually("none is left here", async () => (await stateNow()).gone === RECORDINGS);
    const fetched = async (uuid: string, at = server) => {
      const url = await (await at.get(`/recording_url?call_uuid=${uuid}&key=${key}`)).text();
      return (await fetch(url.replace(/^http:\/\/[^/]+/, `http://${at.run.http}`))).text();
    };
    for (const uuid of uuids.slice(0, 5)) expect(await fetched(uuid)).toBe(soundOf(uuid));
    const shown = await (await server.get(`/cdrs/${uuids[0]}?key=${key}`)).text();
    expect(shown).toContain(`"recording_present":"true"`);
    expect(await (await server.get("/metrics")).text()).toContain(
      `santral_archived_recordings{state="archived"} ${RECORDINGS}`,
    );
    const doctor = await santral(folder, ["doctor"], { env });
    expect(doctor.stdout).toContain(`go to ${BUCKET} (${s3.url}): ${RECORDINGS} are there, 0 wait`);
    expect(server.output()).not.toContain(SECRET);
    expect(await inDatabase((db) => tablesWith(db, SECRET))).toEqual([]);

    const backup = join(dirname(folder), "backup.tar.gz");
    expect(await json(["backup", backup])).toMatchObject({ keys: "inside" });
    await server.end("SIGTERM");
    const restored = join(temporaryFolder(), "data");
    const back = await santral(restored, ["restore", backup], { env });
    expect(back.code, back.stderr).toBe(0);
    rmSync(folder, { recursive: true });
    const second = await startProcess(restored, { env });
    for (const uuid of uuids.slice(0, 5)) expect(await fetched(uuid, second)).toBe(soundOf(uuid));

    // With the exchange its recordings leave the store, which has to let them go.
    const [exchange] = (await json(["exchange", "list"], restored)) as unknown as { id: number }[];
    s3.front.misbehave = (_heard, response) => {
      response.writeHead(403).end();
      return true;
    };
    const refused = await santral(restored, ["exchange", "delete", String(exchange!.id), "--yes"], { env });
    expect(refused.stderr).toContain("--leave-archived");
    s3.front.misbehave = undefined;
    const gone = await santral(restored, ["exchange", "delete", String(exchange!.id), "--yes"], { env });
    expect(gone.code, gone.stderr).toBe(0);
    const removed = s3.front.heard.filter(({ method, url }) => method === "DELETE" && !url.includes("santral-test"));
    expect(new Set(removed.map(({ url }) => url)).size).toBe(RECORDINGS);
    expect(second.output()).not.toContain(SECRET);
    await second.end("SIGTERM");
  },
);
