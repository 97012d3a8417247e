// What a second of one call costs among few and among many: node bench/run.mjs bench/growth-calls.ts [10,100,500]
//
// Calls with voice both ways through a whole exchange on one core; the generator is on the other.

import { execFileSync } from "node:child_process";
import { connectCalls } from "./call-generator.ts";
import { startExchange } from "./exchange-process.ts";
import { figure } from "./figure.ts";
import { compileLoad, runLoad } from "./rtp-load.ts";

const SECONDS = 10;

const counts = (process.argv[2] ?? "10,100,500").split(",").map(Number);
execFileSync(process.execPath, ["bin/build.mjs"]);
const load = compileLoad();
const costs: { cost: number; lost: number }[] = [];
for (const calls of counts) costs.push(await costOf(calls));
const first = costs[0]?.cost ?? Number.NaN;
for (const [place, calls] of counts.entries()) {
  const { cost, lost } = costs[place]!; // one was measured for each
  const beside = place === 0 ? {} : { yardstick: `the same among ${counts[0]}`, ratio: cost / first };
  figure({
    name: `call-second-among-${calls}`,
    value: cost,
    unit: "ms",
    better: "less",
    ...beside,
    with: `voice both ways, G.711, one core, what idleness costs left out, ${lost.toFixed(1)} % lost`,
  });
}

/** Milliseconds of CPU a call and second, without what the exchange takes when nothing happens. */
async function costOf(calls: number): Promise<{ cost: number; lost: number }> {
  const generator = await connectCalls(async (calleePort) => startExchange({ calleePort, recording: false }));
  const { exchange } = generator;
  await new Promise((resolve) => setTimeout(resolve, 5_000)); // a start has much to do afterwards
  const idleFrom = exchange.usage().cpuMs;
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000));
  const idle = (exchange.usage().cpuMs - idleFrom) / (SECONDS * 1_000);
  const ports = await generator.connect(calls);
  const used = await runLoad(load, { calls, seconds: SECONDS, ports, usage: exchange.usage });
  const cost = ((used.cores - idle) * 1_000) / calls;
  console.log(
    `${calls} calls: ${used.cores.toFixed(3)} core, ${idle.toFixed(3)} of it idleness; ${cost.toFixed(3)} ms a call-second, ` +
      `delay added p50 ${used.p50.toFixed(2)} ms, p99 ${used.p99.toFixed(2)} ms, ${used.lossPercent.toFixed(3)} % lost`,
  );
  await generator.stop();
  await exchange.stop();
  return { cost, lost: used.lossPercent };
}
