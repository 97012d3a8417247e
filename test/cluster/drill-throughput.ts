// Calls between two carriers through one node, then through two at once, each on a core of its own: what a node's process
// costs a call by CPU time. SIPp speaks to the nodes themselves, and nobody has voice.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { sql } from "../../src/store/sql.ts";
import { runSipp, startSipp } from "../carriers/sipp.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Cluster, type ClusterNode, openCluster } from "./cluster.ts";
import type { Row } from "./table.ts";

const RATE = 20;
const SECONDS = 15;
/** A process compiles what it runs often, and is quicker for it: enough that little of that is left. */
const WARM_UP_CALLS = 600;
/** Nobody else has them. */
const OWN_NUMBERS = ["908505321111", "908505321112"] as const;
const FAR_NUMBER = "905321234567";
const WANTED = 1.8;

/** `why`: of those that failed, what they were answered and whether the node could run. */
type Cost = { msPerCall: number; failed: number; why?: string };

type Firm = { exchange: string; number: string; address: string; node: ClusterNode };

export async function twoAgainstOne(say: (line: string) => void): Promise<Row[]> {
  const cluster = await openCluster({ say, env: { SANTRAL_LOG: "warn", SANTRAL_SANDBOX: "off" } });
  const firms = await twoFirms(cluster);
  firms.forEach(({ node }, at) => {
    execFileSync("taskset", ["-a", "-p", "-c", String(at % cpus().length), String(node.process().run.pid)], {
      stdio: "ignore",
    });
  });
  await Promise.all(firms.map((firm) => called(firm, WARM_UP_CALLS)));
  const [first, second] = firms;
  // A process that has run for longer is quicker: one is alone before and after, so that the comparison neither gains nor loses.
  const before = await called(first, RATE * SECONDS);
  const [one, two] = await Promise.all([called(first, RATE * SECONDS), called(second, RATE * SECONDS)]);
  const after = await called(first, RATE * SECONDS);
  const alone = { msPerCall: (before.msPerCall + after.msPerCall) / 2 };
  const rate = ({ msPerCall }: Pick<Cost, "msPerCall">) => 1_000 / msPerCall;
  const all = [before, one, two, after];
  const failed = all.reduce((sum, it) => sum + it.failed, 0);
  const times = (rate(one) + rate(two)) / rate(alone);
  const shown = ({ msPerCall }: Cost) => msPerCall.toFixed(1);
  for (const { why } of all) if (why !== undefined) say(`  ${why}`);
  say(
    `  CPU a call: ${shown(before)} and ${shown(after)} ms alone; ${shown(one)} and ${shown(two)} ms beside each other`,
  );
  return [
    {
      drill: "two nodes on two cores against one on one, by the CPU time of their processes",
      required: `at least ${WANTED} times, no call fails`,
      seen: `${times.toFixed(2)} times (${rate(alone).toFixed(0)} calls/s a core alone; ${rate(one).toFixed(0)} + ${rate(two).toFixed(0)} together; ${failed} of ${all.length * RATE * SECONDS} calls failed)`,
      met: times >= WANTED && failed === 0,
    },
  ];
}

/** The exchange of the first run and another, each on a node of its own. */
async function twoFirms(cluster: Cluster): Promise<[Firm, Firm]> {
  const made = await cluster.done("exchange", "create", "Second", "--json");
  const ids = [String(cluster.firstRun.exchange.id), String((JSON.parse(made) as { id: number }).id)] as const;
  const addresses = ["127.0.0.51", "127.0.0.52"] as const;
  for (const [at, exchange] of ids.entries())
    await furnish(cluster, { exchange, address: addresses[at] ?? "", number: OWN_NUMBERS[at] ?? "" });
  const nodes = await eventually("each on a node of its own", async () => {
    const found = await Promise.all(ids.map((id) => cluster.ownerOf(Number(id))));
    return found[0] !== found[1] && found;
  });
  await eventually("both are settled", async () => {
    const moving = await cluster.db.query(sql`select from nodes where state not in ('up', 'over')`);
    return moving.length === 0;
  });
  const firm = (at: 0 | 1): Firm => ({
    exchange: ids[at],
    number: OWN_NUMBERS[at],
    address: addresses[at],
    node: nodes[at]!,
  }); // as many as ids
  return [firm(0), firm(1)];
}

async function furnish(cluster: Cluster, { exchange, address, number }: Omit<Firm, "node">): Promise<void> {
  const callee = await startSipp({ scenario: { builtIn: "uas" }, address });
  whenOver(() => callee.end());
  const of = ["--exchange", exchange];
  // Nobody says anything, and what becomes of a recording (a file, a job, a bucket) costs a node as much as half a call.
  await cluster.done("exchange", "set", "record-calls=no", ...of);
  const reach = [`source-addresses=${address}`, "health-check=no", "codecs=PCMA,PCMU", `port=${callee.port}`];
  await cluster.done("trunk", "create", "carrier", address, ...reach, ...of);
  await cluster.done("number", "create", number, `external/${FAR_NUMBER}`, ...of);
}

/** Milliseconds of CPU that its node spent on each. */
async function called({ node, address, number }: Firm, calls: number): Promise<Cost> {
  const { pid } = node.process().run;
  const before = { cpu: cpuMsOf(pid), waited: waitedMsOf(pid) };
  const how = { scenario: { builtIn: "uac" }, rate: RATE, calls, number, extra: ["-d", "200"] } as const;
  const { done, failed, log, unexpected, seconds } = await runSipp({ ...how, server: node.sip, address });
  if (done === 0) throw new Error(`all of ${calls} calls failed: ${log.replaceAll("\n", " ").slice(0, 300)}`);
  const waited = (waitedMsOf(pid) - before.waited) / 1_000;
  const why = `${failed} calls failed, answered ${JSON.stringify(unexpected)}; node ${node.name} waited ${waited.toFixed(1)} of ${seconds.toFixed(1)} s for its core`;
  return { msPerCall: (cpuMsOf(pid) - before.cpu) / done, failed, ...(failed > 0 && { why }) };
}

/** How long its main thread could have run, and somebody else did. */
function waitedMsOf(pid: number): number {
  const [, nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

/** User and system time of all its threads, in ticks of 10 ms. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" "); // what stands behind its name
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
