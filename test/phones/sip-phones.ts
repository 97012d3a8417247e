// Two SIP stacks on a memory network and a wound clock, and the messages tests send between them.

import { dialogAsCallee, dialogAsCaller, nextHopOf, requestInDialog } from "../../src/sip/dialog.ts";
import type { Random } from "../../src/sip/headers/random.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import { isMalformed } from "../../src/sip/message/malformed.ts";
import type { Header, Request, Response } from "../../src/sip/message/message.ts";
import { printMessage } from "../../src/sip/message/print.ts";
import { parseMessage } from "../../src/sip/reading/parse.ts";
import { responseTo } from "../../src/sip/respond.ts";
import { openStack, type Stack } from "../../src/sip/stack.ts";
import type { StackOptions } from "../../src/sip/stack-options.ts";
import type { Destination, TransportName } from "../../src/sip/transport/transport.ts";
import { type TestClock, testClock } from "../ground/test-clock.ts";
import { type MemoryNetwork, memoryNetwork, seededChance } from "../sip/memory-network.ts";

export const ALICE = "192.0.2.1";
export const BOB = "192.0.2.2";

export function seededRandom(seed: number): Random {
  const chance = seededChance(seed);
  return (octets) => Uint8Array.from({ length: octets }, () => Math.floor(chance() * 256));
}

export type Line = { clock: TestClock; network: MemoryNetwork; alice: Stack; bob: Stack; toBob: Destination };

/** Alice and Bob, each with a stack, over the transport named. */
export function line(
  options: { name?: TransportName; seed?: number; bob?: Partial<StackOptions>; alice?: Partial<StackOptions> } = {},
): Line {
  const { name = "udp", seed = 1 } = options;
  const clock = testClock();
  const network = memoryNetwork(clock, seed);
  const open = (address: string, number: number, more: Partial<StackOptions> | undefined) =>
    openStack({ clock, random: seededRandom(number), transports: [network.attach({ address, name })], ...more });
  const alice = open(ALICE, seed * 2, options.alice);
  const bob = open(BOB, seed * 2 + 1, options.bob);
  return { clock, network, alice, bob, toBob: { transport: name, address: BOB, port: 5060 } };
}

export const NOTHING_LEFT = {
  clientTransactions: 0,
  serverTransactions: 0,
  unacknowledged: 0,
  dialogs: 0,
  connections: 0,
};

/** Bob picks up after a while and stays until the caller hangs up; his side of each call ends up in the list. */
export function bobAnswers({ clock, bob }: Line, { afterMs = 1_000 } = {}): { calls: string[] } {
  const calls: string[] = [];
  bob.onRequest((incoming) => {
    if (incoming.request.method !== "INVITE") {
      incoming.reply(200);
      return;
    }
    const dialog = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
    if (isMalformed(dialog)) throw new Error(dialog.malformed);
    const release = bob.own(dialog, (inside) => {
      inside.reply(200);
      if (inside.request.method === "BYE") over("hung up");
    });
    const over = (how: string) => {
      release();
      calls.push(how);
    };
    incoming.onAck((ack) => {
      if (ack === "never") over("never acknowledged");
    });
    const pickUp = clock.after(afterMs, () => incoming.reply(200, { headers: [bobsContact] }));
    incoming.onCancel(() => {
      pickUp();
      if (incoming.reply(487)) over("cancelled");
    });
    incoming.reply(180, { headers: [bobsContact] });
  });
  return { calls };
}

/** Alice calls, talks for a while and hangs up; what she heard, statuses and failures, is what comes back. */
export function aliceCalls({ clock, alice, toBob }: Line, { talkMs = 5_000 } = {}): { heard: (number | string)[] } {
  const heard: (number | string)[] = [];
  const invite = requestTo("INVITE");
  const call = alice.send(invite, toBob, (outcome) => {
    heard.push("response" in outcome ? outcome.response.status : outcome.is);
    if (outcome.is !== "success") return;
    const { dialog, ack, hop } = answeredCall(invite, outcome.response, toBob.transport === "udp" ? undefined : toBob);
    call.sendAck(ack, hop);
    const bye = requestInDialog(dialog, "BYE").request;
    clock.after(talkMs, () => alice.send(bye, hop, ({ is }) => void heard.push(`BYE ${is}`)));
  });
  return { heard };
}

let calls = 0;

export function requestTo(method: string, more: { headers?: Header[]; callId?: string; uri?: string } = {}): Request {
  calls += 1;
  const headers: Header[] = [
    { name: "From", value: `"Alice" <sip:alice@${ALICE}>;tag=a${calls}` },
    { name: "To", value: `<sip:bob@${BOB}>` },
    { name: "Call-ID", value: more.callId ?? `call-${calls}` },
    { name: "CSeq", value: `1 ${method}` },
    { name: "Contact", value: `<sip:alice@${ALICE}:5060>` },
    ...(more.headers ?? []),
  ];
  return { is: "request", method, uri: more.uri ?? `sip:bob@${BOB}`, headers, body: "" };
}

export const bobsContact: Header = { name: "Contact", value: `<sip:bob@${BOB}:5060>` };

/** The dialog of a call that was answered, and its ACK with the place to send it. */
export function answeredCall(invite: Request, response: Response, flow?: Destination) {
  const dialog = dialogAsCaller(invite, response, flow);
  if (isMalformed(dialog)) throw new Error(dialog.malformed);
  const { request: ack } = requestInDialog(dialog, "ACK", { cseq: dialog.localCSeq });
  return { dialog, ack, hop: destinationOf(nextHopOf(dialog)) };
}

export function destinationOf(hop: Destination | string): Destination {
  if (typeof hop === "string") throw new Error(`${hop} is a name`);
  return hop;
}

/** What travelled, as "INVITE" and "200 INVITE". */
export function ladder(network: MemoryNetwork): string[] {
  return network.carried().map(({ octets }) => {
    const parsed = parseMessage(octets);
    if (!("message" in parsed)) return "garbage";
    const { message } = parsed;
    const method = message.headers.find(({ name }) => name === "CSeq")!.value.split(" ")[1];
    return message.is === "request" ? message.method : `${message.status} ${method}`;
  });
}

/** Bob is a proxy with several phones: each that answers is passed on as it comes, as often as it says so. */
export function forksAt({ bob, toBob }: Line): { answers(tag: string, contact?: Header): void } {
  let invite: Incoming | undefined;
  bob.onRequest((incoming) => {
    if (incoming.request.method === "INVITE") invite = incoming;
    else incoming.reply(200);
  });
  return {
    answers(toTag, contact = bobsContact) {
      if (!invite) throw new Error("nobody has called");
      const answer = printMessage(responseTo(invite.request, 200, { toTag, headers: [contact] }));
      bob.doorTo(toBob)!.send(answer, { transport: "udp", address: ALICE, port: 5060 }); // both have a door of this kind
    },
  };
}
