// `npm run cluster -- drill`: each drill in turn on one cluster, and one table of what was seen.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { KEPT_LOGS } from "../ground/kept-log.ts";
import { type Callers, openCallers } from "./callers.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { killPrimaries } from "./drill-database.ts";
import { type Drill, killNodes, stopNodes } from "./drill-kill.ts";
import { killOneMachine } from "./drill-restart.ts";
import { restartAll } from "./drill-rolling.ts";
import { twoAgainstOne } from "./drill-throughput.ts";
import { asMarkdown, asText, type Row } from "./table.ts";
import { over } from "./without-vitest.ts";

export type DrillsAsked = { kills: number; calls: number; only?: string[] };

/** On the cluster that all of them share. */
const shared: Record<string, (drill: Drill) => Promise<Row[]>> = {
  kill: killNodes,
  stop: stopNodes,
  rolling: restartAll,
};

/** On one of their own, or on none. */
const alone: Record<string, (asked: DrillsAsked, say: (line: string) => void) => Promise<Row[]>> = {
  database: ({ kills }, say) => killPrimaries(kills, say),
  throughput: (_, say) => twoAgainstOne(say),
  restart: killOneMachine,
};

/** Whether all was met. */
export async function drill(asked: DrillsAsked, say: (line: string) => void): Promise<boolean> {
  const { kills, calls, only } = asked;
  const folder = resolve("data");
  const logs = process.env[KEPT_LOGS] ?? resolve(folder, "cluster-logs");
  rmSync(logs, { recursive: true, force: true });
  process.env[KEPT_LOGS] = logs;
  const rows: Row[] = [];
  const wanted = (name: string) => only === undefined || only.includes(name);
  if (Object.keys(shared).some(wanted)) {
    const cluster = await openCluster({ say, env: { SANTRAL_SANDBOX: "off" } });
    const callers = await openCallers(cluster, calls);
    for (const [name, act] of Object.entries(shared))
      if (wanted(name)) {
        rows.push(...(await tried(name, () => act({ cluster, callers, calls, kills, say }), say)));
        await cleared(cluster, callers);
      }
  }
  for (const [name, act] of Object.entries(alone))
    if (wanted(name)) {
      await over();
      rows.push(...(await tried(name, () => act(asked, say), say)));
    }
  mkdirSync(folder, { recursive: true });
  const file = resolve(folder, "cluster-drills.md");
  writeFileSync(file, asMarkdown(rows, `On a machine of ${cpus().length} cores, all of it on this one machine.`));
  say(`\n${asText(rows)}\n\nThe same as markdown: ${file}\nWhat everybody said: ${logs}`);
  return rows.every(({ met }) => met);
}

/** For the next, whatever became of this one: nobody talks, and every node runs. */
async function cleared(cluster: Cluster, { crowd, foreign }: Callers): Promise<void> {
  await crowd.hangUp();
  await foreign.hangUp();
  for (const node of cluster.nodes) if (!node.isRunning()) await node.start();
}

/** One that breaks off is not met, and the others are done nevertheless. */
async function tried(name: string, act: () => Promise<Row[]>, say: (line: string) => void): Promise<Row[]> {
  say(`drill ${name} …`);
  try {
    return await act();
  } catch (error) {
    const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return [{ drill: name, required: "it is done to its end", seen: `broke off: ${why.slice(0, 200)}`, met: false }];
  }
}
