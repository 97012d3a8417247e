// Calls relayed on one core, two dialogs each and no media: node bench/run.mjs bench/sip-relay.ts [--realtime] [calls/s ...]
//
// SIPp calls, SIPp answers, both on the other core; in between every INVITE makes a second call, and a BYE ends both.

import { realClock } from "../src/clock.ts";
import { type Dialog, dialogAsCallee, dialogAsCaller, nextHopOf, requestInDialog } from "../src/sip/dialog.ts";
import { fromOf } from "../src/sip/headers/addresses.ts";
import { newCallId, newTag } from "../src/sip/headers/random.ts";
import type { Incoming } from "../src/sip/incoming.ts";
import { isMalformed } from "../src/sip/message/malformed.ts";
import type { Header, Request } from "../src/sip/message/message.ts";
import { openStack, type Stack } from "../src/sip/stack.ts";
import { openRandom } from "../src/sip/transport/random.ts";
import type { Destination } from "../src/sip/transport/transport.ts";
import { openUdp } from "../src/sip/transport/udp.ts";
import { figure } from "./figure.ts";
import {
  answerReports,
  askedRates,
  freePort,
  GENERATOR_CORE,
  runCaller,
  say,
  startCallee,
  startServer,
} from "./two-cores.ts";

const SECONDS = 8;

if (process.argv[2] === "serve") await serve(Number(process.argv[3]), Number(process.argv[4]));
else await drive(askedRates([500, 1000, 1800]));

async function serve(port: number, calleePort: number): Promise<void> {
  const random = openRandom();
  const transports = [await openUdp({ address: "127.0.0.1", port })];
  const stack = openStack({ clock: realClock, random, transports });
  const contact: Header = { name: "Contact", value: `<sip:relay@127.0.0.1:${port}>` };
  const callee: Destination = { transport: "udp", address: "127.0.0.1", port: calleePort };
  let failed = 0;
  stack.onRequest((incoming) => {
    if (incoming.request.method !== "INVITE") {
      incoming.reply(501);
      return;
    }
    relay(stack, incoming, contact, {
      callee,
      invite: secondInvite(incoming.request, contact, {
        port: calleePort,
        callId: newCallId(random),
        tag: newTag(random),
      }),
      failed: () => {
        failed += 1;
      },
    });
  });
  answerReports(() => ({ failed, ...stack.load(), ...stack.counters }));
}

function secondInvite(first: Request, contact: Header, to: { port: number; callId: string; tag: string }): Request {
  const uri = `sip:service@127.0.0.1:${to.port}`;
  return {
    is: "request",
    method: "INVITE",
    uri,
    headers: [
      { name: "From", value: `<${fromOf(first).uri}>;tag=${to.tag}` },
      { name: "To", value: `<${uri}>` },
      { name: "Call-ID", value: to.callId },
      { name: "CSeq", value: "1 INVITE" },
      contact,
      { name: "Content-Type", value: "application/sdp" },
    ],
    body: first.body,
  };
}

type Second = { callee: Destination; invite: Request; failed(): void };

function relay(stack: Stack, incoming: Incoming, contact: Header, { callee, invite, failed }: Second): void {
  const near = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
  if (isMalformed(near)) {
    incoming.reply(400);
    return;
  }
  let far: Dialog | undefined;
  const releases: (() => void)[] = [];
  const release = () => {
    for (const act of releases) act();
  };
  const hangUp = (dialog: Dialog) => {
    const hop = nextHopOf(dialog);
    if (typeof hop !== "string") stack.send(requestInDialog(dialog, "BYE").request, hop, () => {});
  };
  releases.push(
    stack.own(near, (inside) => {
      if (inside.request.method !== "BYE") return;
      inside.reply(200);
      release();
      if (far) hangUp(far);
    }),
  );
  const call = stack.send(invite, callee, (outcome) => {
    if (!("response" in outcome) || outcome.is === "failure") {
      failed();
      release();
      incoming.reply("response" in outcome ? outcome.response.status : 408);
      return;
    }
    const { response } = outcome;
    if (response.status === 100) return;
    if (outcome.is === "provisional") {
      incoming.reply(response.status, { headers: [contact] });
      return;
    }
    const made = dialogAsCaller(invite, response);
    if (isMalformed(made)) return failed();
    far = made;
    const hop = nextHopOf(made);
    if (typeof hop === "string") return failed();
    call.sendAck(requestInDialog(made, "ACK", { cseq: made.localCSeq }).request, hop);
    releases.push(
      stack.own(made, (inside) => {
        inside.reply(200);
        release();
        hangUp(near);
      }),
    );
    incoming.reply(200, {
      headers: [contact, { name: "Content-Type", value: "application/sdp" }],
      body: response.body,
    });
  });
}

async function drive(rates: number[]): Promise<void> {
  console.log("FreeSWITCH on one core of this machine type: 55 bridged calls/s clean, about 100 without media");
  console.log("Kamailio as stateful proxy, one child, this machine type: about 1500 calls/s a core");
  for (const rate of rates) await measure(rate);
}

async function measure(rate: number): Promise<void> {
  const callee = await startCallee(GENERATOR_CORE);
  const port = await freePort();
  const server = await startServer([String(port), String(callee.port)]);
  await runCaller({ port, rate: 700, calls: 3500 });
  const before = await server.report();
  const calleeBefore = callee.cpuMs();
  const result = await runCaller({ port, rate, calls: rate * SECONDS });
  const after = await server.report();
  say("relay of two dialogs", rate, { ...result, cpuMs: after.cpuMs - before.cpuMs });
  const bareMs = callee.cpuMs() - calleeBefore;
  say("  of which SIPp's callee, the yardstick", rate, { ...result, cpuMs: bareMs });
  figure({
    name: `sip-call-relayed-at-${rate}`,
    value: (after.cpuMs - before.cpuMs) / result.done,
    unit: "ms",
    better: "less",
    yardstick: "SIPp's callee",
    ratio: (after.cpuMs - before.cpuMs) / bareMs,
    with: "two dialogs of the SIP stack alone",
  });
  console.log(`  ${after.more.failed} second calls failed, ${after.rssMb.toFixed(0)} MB resident`);
  await server.stop();
  await callee.stop();
}
