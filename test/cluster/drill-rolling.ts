// Every node is drained, stopped and started again while calls are up, as an upgrade does it: nobody is dropped.

import { pause, realClock, within } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import type { Cluster, ClusterNode } from "./cluster.ts";
import type { Drill } from "./drill-kill.ts";
import { type Row, share } from "./table.ts";

const ON_MS = 1_000;
/** Beyond this an operator stops it nevertheless. */
const DRAINED_WITHIN_MS = 60_000;

export async function restartAll({ cluster, callers, calls, say }: Drill): Promise<Row[]> {
  const talks = await callers.crowd.connect(calls);
  await Promise.all(talks.map((talk) => talk.heard(ON_MS)));
  for (const talk of talks) talk.listenAnew();
  let undrained = 0;
  for (const node of cluster.nodes) {
    await cluster.done("node", "drain", node.name);
    const isDrained = await drained(cluster, node);
    if (!isDrained) undrained += 1;
    await node.stop();
    await node.start();
    say(`  node ${node.name} was ${isDrained ? "drained" : "NOT drained in time"}, stopped and started`);
    await pause(realClock, ON_MS);
  }
  const gaps: number[] = [];
  const heard = await Promise.all(
    talks.map(async (talk) => {
      gaps.push(talk.gapMs());
      talk.listenAnew();
      return talk.heard(ON_MS).then(
        () => true,
        () => false,
      );
    }),
  );
  const patience = () => pause(realClock, 40_000).then(() => 0);
  const byes = await Promise.all(
    talks.map((talk, at) =>
      Promise.race([talk.hangUp(at % 2 === 0 ? "caller" : "callee").catch(() => -1), patience()]),
    ),
  );
  const dropped = talks.filter((_, at) => !heard[at] || byes[at] !== 200).length;
  const longest = (share(gaps, 1) / 1_000).toFixed(1);
  return [
    {
      drill: `rolling restart of all nodes, ${calls} calls`,
      required: "0 dropped",
      seen: `${dropped} dropped, ${undrained} nodes not drained within a minute, longest gap ${longest} s`,
      met: dropped === 0 && undrained === 0,
    },
  ];
}

async function drained({ db }: Cluster, { name }: ClusterNode): Promise<boolean> {
  for (const end = within(realClock, DRAINED_WITHIN_MS); realClock.ticks() < end; await pause(realClock, 200)) {
    const left = await db.query(sql`select from exchange_owners where node = $1`, [name]);
    if (left.length === 0) return true;
  }
  return false;
}
