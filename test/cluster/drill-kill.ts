// Calls are up, one of them of baresip, and their node is killed, or stopped for a while, again and again: everybody talks on.

import { pause, realClock } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import type { Talk } from "../phones/crowd.ts";
import { type Callers, recordsOf, TRANSPORTS, type Wrong } from "./callers.ts";
import type { Cluster, ClusterNode } from "./cluster.ts";
import { type Row, share } from "./table.ts";

export type Drill = { cluster: Cluster; callers: Callers; calls: number; kills: number; say(line: string): void };

/** Longer than what a crash may cost of a recording. */
const WELL_UP_MS = 2_500;
const ON_MS = 1_000;
const STOPPED_MS = 20_000;
const WANTED_P95_MS = 5_000;
/** One in so many is on hold meanwhile. */
const HELD_OF = 5;

type Round = { talks: Talk[]; gaps: number[]; wrong: Wrong };

export async function killNodes(drill: Drill): Promise<Row[]> {
  const seen = await rounds(drill, drill.kills, async (node) => {
    await node.kill();
    return () => node.start();
  });
  return rowsOf(drill, "kill -9 of the node", seen);
}

/** It wakes after its lease was taken: whatever it writes then is refused, and its process ends. */
export async function stopNodes(drill: Drill): Promise<Row[]> {
  const seen = await rounds(drill, Math.min(drill.kills, 3), async (node) => {
    const { child } = node.process();
    child.kill("SIGSTOP");
    const wakes = pause(realClock, STOPPED_MS).then(() => child.kill("SIGCONT"));
    return async () => {
      await wakes;
      await gone(node);
      await node.start();
    };
  });
  return rowsOf(drill, `SIGSTOP of the node for ${STOPPED_MS / 1_000} s`, seen);
}

type Strike = (node: ClusterNode) => Promise<() => Promise<void>>;

async function rounds(drill: Drill, times: number, strike: Strike): Promise<Round[]> {
  const seen: Round[] = [];
  for (let round = 0; round < times; round++) {
    const done = await oneRound(drill, strike);
    const { say, calls } = drill;
    const longest = Math.round(Math.max(0, ...done.gaps));
    say(
      `  ${round + 1} of ${times}: ${calls} calls, longest gap ${longest} ms${done.wrong.map((it) => `\n    ${it}`).join("")}`,
    );
    seen.push(done);
  }
  return seen;
}

async function oneRound({ cluster, callers, calls }: Drill, strike: Strike): Promise<Round> {
  const before = callers.events.events.length;
  const had = await recordCount(cluster);
  const talks = await callers.crowd.connect(calls - 1);
  await callers.foreign.connect();
  await Promise.all(talks.map((talk) => talk.heard(WELL_UP_MS)));
  const held = talks.filter((_, at) => at % HELD_OF === HELD_OF - 1);
  const talking = talks.filter((talk) => !held.includes(talk));
  const wrong: Wrong = [];
  const note = (talk: Talk, what: string) => wrong.push(`${talk.caller} to ${talk.callee}: ${what}`);
  for (const talk of held) {
    const status = await talk.hold(true);
    if (status !== 200) note(talk, `hold was answered ${status}`);
  }
  const node = await cluster.ownerOf();
  for (const talk of talking) talk.listenAnew();
  const comeBack = await strike(node);
  const gaps: number[] = [];
  const listened = await Promise.all(
    talking.map((talk) =>
      talk.heard(ON_MS).then(
        () => gaps.push(talk.gapMs()),
        (error: Error) => note(talk, `is not heard again: ${error.message}`),
      ),
    ),
  );
  await Promise.all(held.map((talk) => takenBack(talk).catch((error: Error) => note(talk, `held: ${error.message}`))));
  wrong.push(...(await callers.foreign.talkedOn()));
  const dead = new Set(wrong.map((it) => it.split(":")[0]));
  const goodbyes = talks.map(async (talk, at) => {
    const who = at % 2 === 0 ? "caller" : "callee";
    const patience = pause(realClock, 40_000).then(() => 0);
    const status = await Promise.race([talk.hangUp(who).catch(() => -1), patience]);
    if (status !== 200 && !dead.has(`${talk.caller} to ${talk.callee}`))
      note(talk, `BYE of the ${who}: ${status || "alone"}`);
  });
  await Promise.all([...goodbyes, listened]);
  await comeBack();
  wrong.push(...(await recordsOf(cluster, { ...callers, events: since(callers, before) }, talks, had)));
  return { talks, gaps, wrong };
}

/** Whoever was on hold is taken back, and both hear each other. */
async function takenBack(talk: Talk): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const status = await talk.hold(false);
    if (status === 200) {
      talk.listenAnew();
      return talk.heard(ON_MS);
    }
    if (status !== 491 && status !== 503 && status !== 408) throw new Error(`taking back was answered ${status}`);
    await pause(realClock, 1_000);
  }
  throw new Error("was not taken back");
}

async function gone(node: ClusterNode): Promise<void> {
  const { child } = node.process();
  for (let waitedMs = 0; waitedMs < 30_000 && child.exitCode === null && child.signalCode === null; waitedMs += 100)
    await pause(realClock, 100);
  if (child.exitCode === null) await node.kill();
}

async function recordCount({ db }: Cluster): Promise<number> {
  const [row] = await db.query<{ last: number }>(sql`select coalesce(max(id), 0)::int as last from cdrs`);
  return row?.last ?? 0;
}

const since = ({ events }: Callers, before: number): Callers["events"] => ({
  ...events,
  of: (uuid) => events.events.slice(before).flatMap((it) => (it.call_uuid === uuid ? (it.event_type ?? "") : [])),
});

function rowsOf({ calls }: Drill, drill: string, seen: readonly Round[]): Row[] {
  const gaps = seen.flatMap((it) => it.gaps);
  const all = seen.length * calls;
  const wrong = seen.flatMap((it) => it.wrong);
  const lost = wrong.filter((it) => /not heard again|held:|hold was/.test(it)).length;
  const [p50, p95] = [share(gaps, 0.5), share(gaps, 0.95)].map((ms) => (ms / 1_000).toFixed(1));
  const title = `${drill}, ${seen.length} times, ${calls} calls over ${TRANSPORTS.join(" and ")}`;
  const first = (kind: RegExp) => wrong.find((it) => kind.test(it)) ?? "";
  const count = (kind: RegExp) => wrong.filter((it) => kind.test(it)).length;
  const rest = (name: string, required: string, kind: RegExp): Row => ({
    drill: name,
    required,
    seen: count(kind) === 0 ? "all" : `${count(kind)} wrong, such as ${first(kind)}`,
    met: count(kind) === 0,
  });
  return [
    {
      drill: title,
      required: `${all} of ${all} talk again, 95 % within 5 s`,
      seen: `${all - lost} of ${all} talk again, half after ${p50} s, 95 % after ${p95} s`,
      met: lost === 0 && share(gaps, 0.95) < WANTED_P95_MS,
    },
    rest(`${drill}: hanging up`, "BYE works from both sides", /BYE/),
    rest(`${drill}: records`, "one record each, none still up", /records|still up/),
    rest(`${drill}: events`, "ringing, answer, hangup, once and in order", /events/),
  ];
}
