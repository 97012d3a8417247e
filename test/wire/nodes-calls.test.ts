import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { readWav, toMono } from "../../src/media/wav.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { type NodeTown, nodeTown } from "../ground/nodes.ts";
import { type SantralProcess, temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Baresip, startBaresip } from "../phones/baresip.ts";
import { CLEAR, type FirstRun, toneFile, toneIn } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let town: NodeTown;
let firstRun: FirstRun;
let one: SantralProcess;
let two: SantralProcess;
const phones = new Map<string, Baresip>();
const phone = (user: string) => phones.get(user)!;

async function connect(user: string, server: SantralProcess, hz: number): Promise<void> {
  const password = firstRun.extensions.find(({ number }) => number === user)?.password ?? "";
  const plays = toneFile(temporaryFolder(), hz);
  const domain = firstRun.exchange.sip_domain;
  const where = { user, password, domain, server: server.run.sip ?? "" };
  const started = await startBaresip({ ...where, plays, answerMode: "auto" });
  whenOver(() => started.kill());
  await started.registered();
  phones.set(user, started);
}

async function talk(caller: string, callee: string): Promise<void> {
  await phone(caller).dial(callee);
  await phone(caller).event("CALL_ESTABLISHED");
  await phone(callee).event("CALL_ESTABLISHED");
}

type Record = {
  caller: string;
  cause: string;
  seconds: number;
  story: { is: string }[];
  recordedMs: number | null;
};

const records = () =>
  town.root.query<Record>(
    sql`select caller_id_number as caller, hangup_cause as cause, talk_seconds as seconds, story,
       duration_ms as "recordedMs" from cdrs join call_stories using (call_uuid) left join recordings using (call_uuid)
     order by start_stamp`,
  );

const liveAt = () => town.root.query<{ node: string }>(sql`select node from live_calls`);

/** How loud the last two seconds were that it heard: 0 is silence. */
async function loudness(user: string): Promise<number> {
  const [file = ""] = (await phone(user).recordings("dec")).slice(-1);
  const wav = readWav(readFileSync(file));
  if (wav.is !== "wav") throw new Error(wav.why);
  const samples = toMono(wav).slice(-2 * wav.rate);
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}

async function heardLast(user: string, hz: number): Promise<number> {
  const [file = ""] = (await phone(user).recordings("dec")).slice(-1);
  return toneIn(file, hz, { lastMs: 1_500 });
}

beforeAll(async () => {
  town = await nodeTown();
  one = await town.start("one");
  firstRun = JSON.parse(readFileSync(join(town.folderOf("one"), "first-run.json"), "utf8")) as FirstRun;
  await town.root.query(sql`update exchanges set record_internal = true`);
  await eventually("it lives there", async () => one.output().includes("exchanges live here from now on"));
  for (const [at, user] of ["1000", "1001", "1002", "1003", "1004"].entries()) await connect(user, one, 440 + at * 110);
  two = await town.start("two");
});

test("those who talk, are recorded, hold somebody or wait in a queue go on though their node was killed", async () => {
  await talk("1000", "1001");
  await talk("1002", "1003");
  await phone("1002").command("hold");
  await phone("1004").dial("200");
  await phone("1004").event("CALL_ESTABLISHED");
  await pause(realClock, 3_000);
  await one.end("SIGKILL");
  await eventually("the calls go on there", async () => two.output().includes("calls that were up go on"));
  expect(await town.nodeOf(firstRun.exchange.id)).toBe("two");
  await pause(realClock, 4_000);
  expect(await liveAt()).toEqual([{ node: "two" }, { node: "two" }, { node: "two" }]);

  await phone("1002").command("resume");
  await pause(realClock, 2_000);
  await phone("1003").hangUp();
  await phone("1002").event("CALL_CLOSED");
  expect(await heardLast("1003", 660)).toBeGreaterThan(CLEAR);

  // She is an agent: as soon as she is free the one who waits is brought to her.
  for (const user of ["1000", "1001"]) phone(user).forget();
  await phone("1000").hangUp();
  await phone("1001").event("CALL_CLOSED");
  expect(await heardLast("1001", 440)).toBeGreaterThan(CLEAR);
  await eventually("he has somebody", async () => {
    const [row] = await town.root.query<{ facts: { connectedUser: string } }>(sql`select facts from live_calls`);
    return row?.facts.connectedUser !== "";
  });
  await pause(realClock, 2_000);
  await phone("1004").hangUp();
  await phone("1004").event("CALL_CLOSED");

  const all = await eventually("all have their records", async () => {
    const found = await records();
    return found.length === 3 && found;
  });
  for (const { cause, story } of all) {
    expect(cause).toBe("NORMAL_CLEARING");
    expect(story.filter(({ is }) => is === "resumed")).toHaveLength(1);
  }
  const [recorded] = all;
  expect(recorded?.recordedMs).toBeGreaterThan(6_000);
  expect(recorded?.seconds).toBeGreaterThan(8);
  expect(await loudness("1004")).toBeGreaterThan(100);
});

test("a node that slept while it lost a call says nothing to its parties when it wakes, and writes nothing", async () => {
  const before = await records();
  for (const user of ["1000", "1001"]) phone(user).forget();
  for (const user of ["1000", "1001"]) await phone(user).kill();
  await connect("1000", two, 440);
  await connect("1001", two, 660);
  const three = await town.start("three");
  await talk("1000", "1001");
  await pause(realClock, 3_000);
  process.kill(two.run.pid, "SIGSTOP");
  await eventually("the call goes on there", async () => three.output().includes("calls that were up go on"));
  await pause(realClock, 3_000);
  expect(await two.end("SIGCONT")).toBe(75);
  expect(await liveAt()).toEqual([{ node: "three" }]);
  await pause(realClock, 4_000);
  expect(await liveAt()).toHaveLength(1);
  await phone("1001").hangUp();
  await phone("1000").event("CALL_CLOSED");
  expect(await heardLast("1000", 660)).toBeGreaterThan(CLEAR);
  const all = await eventually("it has its record", async () => {
    const found = await records();
    return found.length > before.length && found;
  });
  expect(all).toHaveLength(before.length + 1);
  expect(all.at(-1)).toMatchObject({ cause: "NORMAL_CLEARING" });
  expect(all.at(-1)?.story.filter(({ is }) => is === "resumed")).toHaveLength(1);
});
