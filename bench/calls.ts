// Whole calls on one core: node bench/run.mjs bench/calls.ts [rates=220,330,440] [concurrent=300,900] [plain | recorded]
//                          [overload[=the first rate tried] [factors=0.8,2,4,0.8] [voices=100]]
//
// The exchange and its database share one core, SIPp calls and answers on the other. Every call is anchored in the
// media engine, kept in the journal and written as a CDR; recording is said, `plain` and `recorded` leave out the other
// kind. CPU is CPU time, so a busy machine spoils rates and delays but not the cost of a call; it pays to go first on a
// machine that others use too. Each rate warms the next one up: the last is what a running exchange costs. The CPU of
// recorded calls holds MP3 coding. With `overload` the best rate is looked for, then more is asked for, while as many
// calls as `voices` says talk on: the delay added to their voice is told for each factor.

import { execFileSync } from "node:child_process";
import { connectCalls } from "./call-generator.ts";
import { type ExchangeProcess, OWN_NUMBER, startExchange, type Usage } from "./exchange-process.ts";
import { figure } from "./figure.ts";
import { compileLoad, runLoad } from "./rtp-load.ts";
import { GENERATOR_CORE, runCaller, startCallee } from "./two-cores.ts";

/** Measured on one core of this machine type: clean bridged calls/s with a 1 s hold, calls with media, memory a call. */
const FREESWITCH = { callsPerSecond: 55, concurrent: 300, kilobytesPerCall: 755 };
const SECONDS = 10;

const asked = new Map(process.argv.slice(2).map((word) => word.split("=", 2) as [string, string | undefined]));
const numbers = (name: string, usual: string) => (asked.get(name) ?? usual).split(",").filter(Boolean).map(Number);
const flags = asked.has("profile") ? ["--cpu-prof"] : [];

execFileSync(process.execPath, ["bin/build.mjs"]);
if (!asked.has("recorded")) await callsPerSecond(false);
if (!asked.has("plain")) await callsPerSecond(true);
if (asked.has("overload")) await tooManyCalls();
for (const calls of numbers("concurrent", "300,600,900")) await concurrentCalls(calls);

async function callsPerSecond(recording: boolean): Promise<void> {
  const rates = numbers("rates", "220,330,440");
  if (rates.length === 0) return;
  const callee = await startCallee(GENERATOR_CORE);
  const exchange = await startExchange({ calleePort: callee.port, recording, nodeFlags: flags });
  await call(exchange, 100, 1_000);
  for (const rate of rates) {
    const before = exchange.usage();
    const result = await call(exchange, rate, rate * SECONDS);
    const used = since(before, exchange.usage());
    const perCall = (used.cpuMs + used.databaseCpuMs) / result.done;
    const perCore = 1_000 / perCall;
    console.log(
      `recording ${recording ? "on" : "off"}: ${rate}/s asked, ${result.steady.done.toFixed(0)}/s done, ` +
        `${result.failed} failed, ${result.retransmissions} resent; ${perCall.toFixed(2)} ms CPU a call ` +
        `(${(used.databaseCpuMs / result.done).toFixed(2)} of it the database) = ${perCore.toFixed(0)} calls/s a core = ` +
        `${(perCore / FREESWITCH.callsPerSecond).toFixed(1)} x FreeSWITCH's ${FREESWITCH.callsPerSecond}`,
    );
    // Failed or resent: the machine was busy with others, or too much was asked for.
    figure({
      name: `${recording ? "recorded" : "bridged"}-call-of-1-s-at-${rate}`,
      value: perCall,
      unit: "ms",
      better: "less",
      ...(rate === 20 && !recording && { goal: 3 }),
      with: `one core for exchange and database, ${recording ? "recorded" : "not recorded"}, ${result.failed} of ${result.done + result.failed} failed`,
    });
  }
  await exchange.stop();
  await callee.stop();
}

/** What is left of the best rate when twice and four times as many calls are asked for, and how it is afterwards. */
async function tooManyCalls(): Promise<void> {
  const callee = await startCallee(GENERATOR_CORE);
  const exchange = await startExchange({ calleePort: callee.port, recording: false, nodeFlags: flags });
  await call(exchange, 100, 500);
  let best = 0;
  let rate = Number(asked.get("overload") ?? 220);
  for (let isKept = true; isKept; rate *= 1.25) {
    const done = await stress(exchange, { rate, best, what: "looking for the best rate" });
    best = Math.max(best, done);
    isKept = done > 0.95 * rate;
  }
  const voices = await startTalking(exchange, callee.port);
  for (const factor of numbers("factors", "0.8,2,4,0.8")) {
    const [heard] = await Promise.all([
      voices.listen(),
      stress(exchange, { rate: best * factor, best, what: `${factor} x the best rate` }),
    ]);
    if (heard) console.log(`  meanwhile ${heard}`);
  }
  await voices.stop();
  await exchange.stop();
  await callee.stop();
}

/** Calls that are up all the while; `listen` says how their voice fares for as long as a rate is asked for. */
async function startTalking(exchange: ExchangeProcess, calleePort: number) {
  const [calls = 0] = numbers("voices", "100");
  if (calls === 0) return { listen: async () => undefined, stop: async () => undefined };
  const load = compileLoad();
  const generator = await connectCalls(async (port) => {
    await exchange.dialTo(port);
    return exchange;
  });
  const ports = await generator.connect(calls);
  await exchange.dialTo(calleePort);
  return {
    stop: generator.stop,
    async listen() {
      const heard = await runLoad(load, { calls, seconds: SECONDS, ports, usage: exchange.usage });
      return `${calls} calls talk: ${delaysIn(heard)}`;
    },
  };
}

async function stress(
  exchange: ExchangeProcess,
  { rate, best, what }: { rate: number; best: number; what: string },
): Promise<number> {
  const before = exchange.usage();
  const { steady, seconds, retransmissions } = await call(exchange, Math.round(rate), Math.round(rate * SECONDS));
  const used = since(before, exchange.usage());
  const [own, database] = [used.cpuMs, used.databaseCpuMs].map((ms) => (ms / 1_000 / seconds).toFixed(2));
  console.log(
    `${what}: ${rate.toFixed(0)}/s asked, ${steady.done.toFixed(0)}/s done ` +
      `(${((100 * steady.done) / (best || steady.done)).toFixed(0)} % of the best), ${steady.failed.toFixed(0)}/s refused, ${retransmissions} resent, ` +
      `${own} core and ${database} for the database`,
  );
  return steady.done;
}

/** Each call held for a second, as FreeSWITCH's were. */
function call(exchange: ExchangeProcess, rate: number, calls: number) {
  return runCaller({ port: exchange.sipPort, rate, calls, extra: ["-s", OWN_NUMBER, "-d", "1000"] });
}

async function concurrentCalls(calls: number): Promise<void> {
  const load = compileLoad();
  const generator = await connectCalls(async (calleePort) => startExchange({ calleePort, recording: false }));
  const { exchange } = generator;
  await generator.connect(20);
  const before = exchange.usage();
  const ports = await generator.connect(calls);
  const kilobytes = (exchange.usage().residentKb - before.residentKb) / calls;
  const used = await runLoad(load, { calls, seconds: SECONDS, ports, usage: exchange.usage });
  console.log(
    `${calls} calls with voice both ways: ${used.cores.toFixed(2)} core, ${delaysIn(used)}; ` +
      `${Math.floor(calls / used.cores)} calls a core by CPU time = ` +
      `${(calls / used.cores / FREESWITCH.concurrent).toFixed(1)} x FreeSWITCH's ${FREESWITCH.concurrent}; ` +
      `${kilobytes.toFixed(1)} kB a call = 1/${(FREESWITCH.kilobytesPerCall / kilobytes).toFixed(0)} of its ` +
      `${FREESWITCH.kilobytesPerCall}`,
  );
  const common = { with: `${calls} calls with voice both ways, G.711, one core` };
  const cost = (used.cores * 1_000) / calls;
  figure({ name: `voice-call-second-of-${calls}`, value: cost, unit: "ms", better: "less", ...common });
  figure({ name: `voice-delay-p50-of-${calls}`, value: used.p50, unit: "ms", better: "less", ...common });
  figure({ name: `memory-a-call-of-${calls}`, value: kilobytes / 1_024, unit: "MB", better: "less", ...common });
  await generator.stop();
  await exchange.stop();
}

function delaysIn({ p50, p99, worst, lossPercent, late }: Awaited<ReturnType<typeof runLoad>>): string {
  const caution = late > 0 ? ` (the load was late ${late} times)` : "";
  return (
    `delay added p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, worst ${worst.toFixed(1)} ms, ` +
    `${lossPercent.toFixed(3)} % lost${caution}`
  );
}

function since(before: Usage, after: Usage): Usage {
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    databaseCpuMs: after.databaseCpuMs - before.databaseCpuMs,
    residentKb: after.residentKb - before.residentKb,
  };
}
