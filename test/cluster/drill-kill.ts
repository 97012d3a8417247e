// Calls are up, one of them of baresip, and their node is killed, or stopped for a while, again and again: everybody talks on.

import { pause, realClock, within } from "../../src/clock.ts";
import { LIFE_MS } from "../../src/store/nodes.ts";
import type { Talk } from "../phones/crowd.ts";
import { type Callers, connect, eventsFromNow, lastRecord, recordsOf, type Wrong } from "./callers.ts";
import { type Cluster, type ClusterNode, TRANSPORTS } from "./cluster.ts";
import { type Recorded, recordingsOf } from "./recordings.ts";
import { type Row, rowOf, share } from "./table.ts";
import { lifeOf, type Noted, watchWrites } from "./writes.ts";

export type Drill = { cluster: Cluster; callers: Callers; calls: number; kills: number; say(line: string): void };

/** Longer than what a crash may cost of a recording. */
const WELL_UP_MS = 2_500;
const ON_MS = 1_000;
const STOPPED_MS = 20_000;
/** A process that is gone is noticed after two seconds; the rest is for taking over. */
const KILLED_P95_MS = 5_000;
/** One that sleeps may wake at any time, so nobody may act before its lease is over; then the same rest. */
const STOPPED_P95_MS = LIFE_MS + 3_000;
const TAKEN_BACK_MS = 60_000;
/** Of a process that wants to be started again. */
const TEMPORARY_FAILURE = 75;
/** One in so many is on hold meanwhile. */
const HELD_OF = 5;

type Round = { gaps: number[]; wrong: Wrong };

export async function killNodes(drill: Drill): Promise<Row[]> {
  const seen = await rounds(drill, drill.kills, async (node) => {
    await node.kill();
    return async () => {
      await node.start();
      return [];
    };
  });
  return rowsOf(drill, { name: "kill -9 of the node", withinMs: KILLED_P95_MS }, seen);
}

/** It wakes after its lease was taken: whatever it writes then is refused, and its process ends. */
export async function stopNodes(drill: Drill): Promise<Row[]> {
  const { db, database } = drill.cluster;
  const writes = await watchWrites(db);
  const noted: (Noted & { refused: number })[] = [];
  const seen = await rounds(drill, Math.min(drill.kills, 3), async (node) => {
    const { child } = node.process();
    child.kill("SIGSTOP");
    const wakes = pause(realClock, STOPPED_MS).then(async () => {
      const lease = await lifeOf(db, node.name);
      child.kill("SIGCONT");
      return lease;
    });
    return async () => {
      const { life, until } = await wakes;
      const wrong = await endedItself(node);
      noted.push({ ...(await writes.of(life, until)), refused: database.refused(life) });
      await node.start();
      return wrong;
    };
  });
  const name = `SIGSTOP of the node for ${STOPPED_MS / 1_000} s`;
  return [
    ...rowsOf(drill, { name, withinMs: STOPPED_P95_MS }, seen),
    rowOf(
      seen.flatMap((it) => it.wrong),
      { drill: `${name}: waking up`, required: "it ends by itself", kind: /lease/ },
    ),
    writesRow(name, noted),
  ];
}

/** Whoever is not seen to write before is not watched. */
function writesRow(name: string, noted: readonly (Noted & { refused: number })[]): Row {
  const sum = (of: "before" | "othersAfter" | "refused") => noted.reduce((all, it) => all + it[of], 0);
  const after = noted.flatMap((it) => it.after);
  const others = `${sum("before")} before, ${sum("othersAfter")} by others after, ${sum("refused")} statements refused`;
  return {
    drill: `${name}: rows that it committed after its lease, in any table but its own row of nodes`,
    required: "0",
    seen: `${[after.length, ...new Set(after)].join(" ")} (${others})`,
    met: after.length === 0 && noted.every(({ before, othersAfter }) => before > 0 && othersAfter > 0),
  };
}

/** What it gives back lets the node come back, and says what was wrong with it. */
type Strike = (node: ClusterNode) => Promise<() => Promise<Wrong>>;

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
  const events = eventsFromNow(callers);
  const after = await lastRecord(cluster);
  const talks = await connect(callers, calls - 1);
  const foreign = await callers.foreign.connect();
  await Promise.all(talks.map((talk) => talk.heard(WELL_UP_MS)));
  const held = talks.filter(({ callee }, at) => at % HELD_OF === HELD_OF - 1 && !callers.outside.includes(callee));
  const talking = talks.filter((talk) => !held.includes(talk));
  const wrong: Wrong = [];
  const note = (talk: Talk, what: string) => wrong.push(`${talk.caller} to ${talk.callee}: ${what}`);
  for (const talk of held) {
    const status = await talk.hold(true);
    if (status !== 200) note(talk, `hold was answered ${status}`);
  }
  const node = await cluster.ownerOf();
  for (const talk of talking) talk.listenAnew();
  const struckMs = performance.now();
  const comeBack = await strike(node);
  const gaps = new Map<Talk, number>();
  await Promise.all(
    talking.map((talk) =>
      talk.heard(ON_MS).then(
        () => gaps.set(talk, talk.gapMs()),
        (error: Error) => note(talk, `is not heard again: ${error.message}`),
      ),
    ),
  );
  await Promise.all(held.map((talk) => takenBack(talk).catch((error: Error) => note(talk, `held: ${error.message}`))));
  const ended = await callers.foreign.talkedOn();
  wrong.push(...ended.wrong);
  const overMs = performance.now();
  wrong.push(...(await goodbyes(talks, wrong)));
  const goneMs = performance.now();
  wrong.push(...(await comeBack()));
  const all = [...talks, foreign];
  wrong.push(...(await recordsOf(cluster, events, all, after)));
  // Nobody heard how long it was for those on hold and for baresip: no longer than for all the others.
  const longestMs = Math.max(...gaps.values());
  const spokenOf = (talk: Recorded, gapMs: number, end = { overMs, goneMs }) => ({ talk, struckMs, ...end, gapMs });
  const spoken = [
    ...[...gaps].map(([talk, gapMs]) => spokenOf(talk, gapMs)),
    ...held.map((talk) => spokenOf(talk, longestMs)),
    spokenOf(foreign, longestMs, ended),
  ];
  wrong.push(...(await recordingsOf(cluster, { calls: all, spoken, after })));
  return { gaps: [...gaps.values()], wrong };
}

/** Each by one of its sides, in turn; of those with which something is wrong already nothing more is said. */
export async function goodbyes(talks: readonly Talk[], wrong: readonly string[]): Promise<Wrong> {
  const dead = new Set(wrong.map((it) => it.split(":")[0]));
  const said = talks.map(async (talk, at) => {
    const who = at % 2 === 0 ? "caller" : "callee";
    const patience = pause(realClock, 40_000).then(() => 0);
    const status = await Promise.race([talk.hangUp(who).catch(() => -1), patience]);
    const name = `${talk.caller} to ${talk.callee}`;
    return status === 200 || dead.has(name) ? [] : [`${name}: BYE of the ${who}: ${status || "alone"}`];
  });
  return (await Promise.all(said)).flat();
}

/** Whoever was on hold is taken back, and both hear each other. */
async function takenBack(talk: Talk): Promise<void> {
  for (const end = within(realClock, TAKEN_BACK_MS); realClock.ticks() < end; await pause(realClock, 1_000)) {
    const status = await talk.hold(false);
    if (status === 200) {
      talk.listenAnew();
      return talk.heard(ON_MS);
    }
    if (status !== 491 && status !== 503 && status !== 408) throw new Error(`taking back was answered ${status}`);
  }
  throw new Error("was not taken back");
}

/** Nothing it had in memory is of any worth: its fences refuse every write, and it says so by its exit code. */
async function endedItself(node: ClusterNode): Promise<Wrong> {
  const { child } = node.process();
  for (let waitedMs = 0; waitedMs < 30_000 && child.exitCode === null && child.signalCode === null; waitedMs += 100)
    await pause(realClock, 100);
  if (child.exitCode === TEMPORARY_FAILURE) return [];
  if (child.exitCode === null) await node.kill();
  return [`node ${node.name} did not end after its lease (${child.exitCode ?? "it ran on"})`];
}

function rowsOf(
  { calls, callers }: Drill,
  { name, withinMs }: { name: string; withinMs: number },
  seen: readonly Round[],
): Row[] {
  const gaps = seen.flatMap((it) => it.gaps);
  const all = seen.length * calls;
  const wrong = seen.flatMap((it) => it.wrong);
  const lost = wrong.filter((it) => /not heard again|held:|hold was/.test(it)).length;
  const [p50, p95] = [share(gaps, 0.5), share(gaps, 0.95)].map((ms) => (ms / 1_000).toFixed(1));
  return [
    {
      drill: `${name}, ${seen.length} times, ${callsShown({ calls, callers })}`,
      required: `${all} of ${all} talk again, 95 % within ${withinMs / 1_000} s`,
      seen: `${all - lost} of ${all} talk again, half after ${p50} s, 95 % after ${p95} s`,
      met: lost === 0 && share(gaps, 0.95) < withinMs,
    },
    rowOf(wrong, { drill: `${name}: hanging up`, required: "BYE works from both sides", kind: /BYE/ }),
    ...rowsOfRecords(name, wrong),
  ];
}

export const callsShown = ({ calls, callers }: Pick<Drill, "calls" | "callers">) =>
  `${calls} calls over ${TRANSPORTS.join(", ")}, ${callers.outside.length} of them outside`;

/** What is left of calls that are over. */
export function rowsOfRecords(name: string, wrong: Wrong): Row[] {
  const recordings = "one each, with both parts of it; some listened to";
  return [
    rowOf(wrong, { drill: `${name}: records`, required: "one each, none still up", kind: /records|still up/ }),
    rowOf(wrong, { drill: `${name}: events`, required: "ringing, answer, hangup, once and in order", kind: /events/ }),
    rowOf(wrong, { drill: `${name}: recordings`, required: recordings, kind: /recording/ }),
  ];
}
