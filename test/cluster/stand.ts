// `npm run cluster`: everything stands until Ctrl-C, and what was killed comes back after a while.

import { once } from "node:events";
import { pause, realClock } from "../../src/clock.ts";
import { NODE_SECRET } from "../ground/nodes.ts";
import { type Cluster, type ClusterNode, openCluster } from "./cluster.ts";

/** Long enough to see that the others have its exchanges. */
const AWAY_MS = 30_000;

type Standing = { say(line: string): void; isOver(): boolean };

/** Back once it stands. */
export async function stand({ say, isOver }: Standing): Promise<void> {
  const cluster = await openCluster({ say });
  say(whatToTry(cluster));
  for (const node of cluster.nodes) void keepUp(node, { say, isOver });
}

async function keepUp(node: ClusterNode, { say, isOver }: Standing) {
  while (!isOver()) {
    const { child } = node.process();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    if (isOver()) return;
    say(`node ${node.name} is gone; it is started again in ${AWAY_MS / 1_000} s`);
    await pause(realClock, AWAY_MS);
    if (isOver()) return;
    await node.start();
    say(`node ${node.name} runs again: pid ${node.process().run.pid}`);
  }
}

export function whatToTry({
  nodes,
  edge,
  database,
  firstRun,
}: Pick<Cluster, "nodes" | "edge" | "database" | "firstRun">) {
  const { key, sip_domain: domain } = firstRun.exchange;
  const [http = ""] = nodes.map((node) => node.http);
  const phones = firstRun.extensions.slice(0, 2).map(({ number, password }) => `  ${number}  password ${password}`);
  const pids = nodes.map((node) => `  node ${node.name.padEnd(5)}  pid ${node.process().run.pid}  ${node.http}`);
  const server = (it: { name: string; pid: number; port: number }) =>
    `PostgreSQL ${it.name}  pid ${it.pid}  port ${it.port}`;
  return [
    "",
    `Phones: outbound proxy ${edge.at} (UDP or TCP) or ${edge.secureAt} (TLS), domain ${domain}`,
    ...phones,
    "Processes:",
    ...pids,
    `  ${server(database.primary())}, the primary`,
    `  ${server(database.standby())}, its synchronous standby`,
    "Try:",
    `  1. call from one phone to the other, and keep talking`,
    `  2. curl '${http}/caller_ids?key=${key}'            any node answers`,
    `  3. curl -H 'Authorization: Bearer ${NODE_SECRET}' '${http}/nodes/owner?domain=${domain}'   names the node of the call`,
    `  4. kill -9 PID of that node, and keep talking: another takes the call within seconds`,
    `  5. kill -9 PID of the primary, and ask 2 again: the standby has taken its place`,
    "Ctrl-C ends everything.",
  ].join("\n");
}
