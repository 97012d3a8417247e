// Every node is drained, stopped and started again while calls are up, as an upgrade does it: nobody is dropped.

import { pause, realClock, since, within } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import { connect, eventsFromNow, lastRecord, recordsOf, type Wrong } from "./callers.ts";
import type { Cluster, ClusterNode } from "./cluster.ts";
import { callsShown, type Drill, goodbyes, rowsOfRecords } from "./drill-kill.ts";
import { recordingsOf } from "./recordings.ts";
import { type Row, share } from "./table.ts";

const WELL_UP_MS = 2_500;
const ON_MS = 1_000;
/** Beyond this an operator stops it nevertheless. */
const DRAINED_WITHIN_MS = 60_000;

export async function restartAll({ cluster, callers, calls, say }: Drill): Promise<Row[]> {
  const events = eventsFromNow(callers);
  const after = await lastRecord(cluster);
  const talks = await connect(callers, calls);
  await Promise.all(talks.map((talk) => talk.heard(WELL_UP_MS)));
  for (const talk of talks) talk.listenAnew();
  const struckMs = performance.now();
  const drainedMs: number[] = [];
  for (const node of cluster.nodes) drainedMs.push(await renew(cluster, node, say));
  // It moves once with each node at most, and each time nobody is heard for a while.
  const spoken = talks.map((talk) => ({ talk, struckMs, gapMs: talk.gapMs() * cluster.nodes.length }));
  const gaps = talks.map((talk) => talk.gapMs());
  for (const talk of talks) talk.listenAnew();
  const heard = talks.map((talk) =>
    talk.heard(ON_MS).then(
      () => [],
      (error: Error) => [`${talk.caller} to ${talk.callee}: is not heard again: ${error.message}`],
    ),
  );
  const wrong: Wrong = (await Promise.all(heard)).flat();
  const overMs = performance.now();
  wrong.push(...(await goodbyes(talks, wrong)));
  const goneMs = performance.now();
  const dropped = wrong.length;
  wrong.push(...(await recordsOf(cluster, events, talks, after)));
  const whole = spoken.map((it) => ({ ...it, overMs, goneMs }));
  wrong.push(...(await recordingsOf(cluster, { calls: talks, spoken: whole, after })));
  for (const it of wrong) say(`    ${it}`);
  const name = "rolling restart of all nodes";
  return [
    {
      drill: `${name}, ${callsShown({ calls, callers })}`,
      required: "0 dropped, and BYE works from both sides",
      seen: `${dropped} dropped, longest gap ${(share(gaps, 1) / 1_000).toFixed(1)} s`,
      met: dropped === 0,
    },
    drainingRow(name, drainedMs),
    ...rowsOfRecords(name, wrong),
  ];
}

function drainingRow(name: string, drainedMs: readonly number[]): Row {
  const inTime = drainedMs.filter((ms) => ms < DRAINED_WITHIN_MS).length;
  const all = drainedMs.length;
  const slowest = (Math.max(...drainedMs) / 1_000).toFixed(1);
  const seen = inTime === all ? `${inTime} of ${all}, the slowest after ${slowest} s` : `${inTime} of ${all}`;
  return {
    ...{ drill: `${name}: draining`, required: `${all} of ${all} have no exchange left within a minute` },
    ...{ seen, met: inTime === all },
  };
}

/** How long it took until it had nothing more. */
async function renew(cluster: Cluster, node: ClusterNode, say: Drill["say"]): Promise<number> {
  const began = realClock.ticks();
  await cluster.done("node", "drain", node.name);
  await drained(cluster, node);
  const took = since(realClock, began);
  await node.stop();
  await node.start();
  const inTime = took < DRAINED_WITHIN_MS ? `drained after ${(took / 1_000).toFixed(1)} s` : "NOT drained in time";
  say(`  node ${node.name} was ${inTime}, stopped and started`);
  await pause(realClock, ON_MS);
  return took;
}

async function drained({ db }: Cluster, { name }: ClusterNode): Promise<void> {
  for (const end = within(realClock, DRAINED_WITHIN_MS); realClock.ticks() < end; await pause(realClock, 200)) {
    const left = await db.query(sql`select from exchange_owners where node = $1`, [name]);
    if (left.length === 0) return;
  }
}
