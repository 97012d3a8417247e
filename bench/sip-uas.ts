// Calls answered on one core: node bench/run.mjs bench/sip-uas.ts [--realtime] [calls/s ...]
//
// With node --expose-gc the memory is counted without garbage.
// INVITE/180/200/ACK/BYE/200 from SIPp on the other core, with SIPp's own callee as the yardstick of the same run.

import { realClock } from "../src/clock.ts";
import { dialogAsCallee } from "../src/sip/dialog.ts";
import { isMalformed } from "../src/sip/message/malformed.ts";
import { openStack } from "../src/sip/stack.ts";
import { openRandom } from "../src/sip/transport/random.ts";
import { openUdp } from "../src/sip/transport/udp.ts";
import { figure } from "./figure.ts";
import {
  answerReports,
  askedRates,
  freePort,
  runCaller,
  SERVER_CORE,
  say,
  startCallee,
  startServer,
} from "./two-cores.ts";

const SECONDS = 8;

if (process.argv[2] === "serve") await serve(Number(process.argv[3]));
else await drive(askedRates([2000, 4000, 6000]));

async function serve(port: number): Promise<void> {
  const stack = openStack({
    clock: realClock,
    random: openRandom(),
    transports: [await openUdp({ address: "127.0.0.1", port })],
  });
  const contact = { name: "Contact", value: `<sip:callee@127.0.0.1:${port}>` };
  const type = { name: "Content-Type", value: "application/sdp" };
  const body =
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n";
  let calls = 0;
  stack.onRequest((incoming) => {
    if (incoming.request.method !== "INVITE") return void incoming.reply(501);
    calls += 1;
    const dialog = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
    if (isMalformed(dialog)) return void incoming.reply(400);
    const release = stack.own(dialog, (inside) => {
      if (inside.request.method !== "BYE") return;
      inside.reply(200);
      release();
    });
    incoming.reply(180, { headers: [contact] });
    incoming.reply(200, { headers: [contact, type], body });
  });
  answerReports(() => ({ calls, ...stack.load(), ...stack.counters }));
}

async function drive(rates: number[]): Promise<void> {
  console.log("FreeSWITCH on one core of this machine type: 55 bridged calls/s clean, about 100 without media");
  for (const rate of rates) {
    const bare = await yardstick(rate);
    const micros = await ours(rate);
    const beside = { yardstick: "SIPp's own callee", ratio: micros / bare };
    const common = { value: micros / 1_000, unit: "ms" as const, better: "less" as const, with: "the SIP stack alone" };
    figure({ name: `sip-call-answered-at-${rate}`, ...common, ...beside });
  }
  await memory();
}

/** Microseconds of CPU a call, here and below. */
async function yardstick(rate: number): Promise<number> {
  const callee = await startCallee(SERVER_CORE);
  const before = callee.cpuMs();
  const result = await runCaller({ port: callee.port, rate, calls: rate * SECONDS });
  const cpuMs = callee.cpuMs() - before;
  say("SIPp's own callee", rate, { ...result, cpuMs });
  await callee.stop();
  return (cpuMs * 1_000) / result.done;
}

async function ours(rate: number): Promise<number> {
  const port = await freePort();
  const server = await startServer([String(port)]);
  await runCaller({ port, rate: Math.min(rate, 2000), calls: 8000 });
  const before = await server.report();
  const result = await runCaller({ port, rate, calls: rate * SECONDS });
  const after = await server.report();
  const cpuMs = after.cpuMs - before.cpuMs;
  say("this stack", rate, { ...result, cpuMs });
  console.log(`  ${after.rssMb.toFixed(0)} MB resident with ${after.more.serverTransactions} lingering transactions`);
  await server.stop();
  return (cpuMs * 1_000) / result.done;
}

/** What one call that is up costs, and what is left of it for half a minute once it is over. */
async function memory(): Promise<void> {
  const port = await freePort();
  const server = await startServer([String(port)]);
  await runCaller({ port, rate: 500, calls: 500 });
  const idle = await server.report();
  const calls = runCaller({ port, rate: 500, calls: 5000, extra: ["-d", "15000"] });
  await new Promise((resolve) => setTimeout(resolve, 13_000));
  const talking = await server.report();
  await calls;
  const over = await server.report();
  const each = (report: typeof idle, count: number) => (((report.heapMb - idle.heapMb) * 1e6) / count).toFixed(0);
  const { dialogs = 0 } = talking.more;
  const lingering = over.more.serverTransactions! - idle.more.serverTransactions!;
  console.log(`memory: ${each(talking, dialogs)} octets a dialog with its INVITE (${dialogs} up),`);
  console.log(
    `  ${each(over, lingering)} octets a transaction that lingers; FreeSWITCH 755000 a bridged call with media`,
  );
  await server.stop();
}
