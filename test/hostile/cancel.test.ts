// Somebody who has seen an INVITE, or guesses well, takes it back in the caller's name.

import { expect, test } from "vitest";
import type { StackOptions } from "../../src/sip/stack-options.ts";
import { ALICE, BOB, bobAnswers, ladder, line, NOTHING_LEFT, requestTo } from "../phones/sip-phones.ts";

const MALLORY = "203.0.113.9";

/** Alice's call rings; what it came in is known to whoever listens. */
function ringing(bobs: Partial<StackOptions> = {}) {
  const town = line({ bob: bobs });
  const bob = bobAnswers(town, { afterMs: 60_000 });
  const heard: unknown[] = [];
  const call = town.alice.send(requestTo("INVITE"), town.toBob, (outcome) => {
    heard.push("response" in outcome ? outcome.response.status : outcome.is);
  });
  town.clock.pass(100);
  const { octets: invite } = town.network.carried()[0]!;
  const cancel = `${invite.slice(0, invite.indexOf("\r\n\r\n") + 4)}`
    .replace(/^INVITE/, "CANCEL")
    .replace(/CSeq: (\d+) INVITE/, "CSeq: $1 CANCEL")
    .replace(/Content-Type: .*\r\n/, "")
    .replace(/Content-Length: \d+/, "Content-Length: 0");
  const cancels = (from: string, text = cancel) => {
    town.network.forge(text, from, BOB);
    town.clock.pass(100);
  };
  return { ...town, calls: bob.calls, heard, call, cancels, cancel };
}

test("a CANCEL from elsewhere leaves the call ringing, whatever it has seen of the INVITE", () => {
  const town = ringing();
  town.cancels(MALLORY);
  town.cancels(MALLORY, town.cancel.replace(/(Via: [^\r]*)/, `$1;received=${ALICE};rport=5060`));
  expect(town.calls).toEqual([]);
  expect(town.heard).toEqual([180]);
  expect(ladder(town.network)).toContain("481 CANCEL");
});

test("the caller takes back its call, and may do so from another port", () => {
  const town = ringing();
  const other = town.network.attach({ address: ALICE, port: 40_002 });
  other.send(town.cancel, town.toBob);
  town.clock.pass(1_000);
  expect(town.calls).toEqual(["cancelled"]);
  expect(town.heard).toEqual([180, 487]);
  town.clock.pass(60_000);
  expect(town.bob.load()).toEqual(NOTHING_LEFT);
});

test("a carrier takes back its call from another address of its own", () => {
  const addresses = [ALICE, "198.51.100.20"];
  const mayTakeBack: StackOptions["mayTakeBack"] = (...both) =>
    [both[0], both[1].source].every(({ address }) => addresses.includes(address));
  const town = ringing({ mayTakeBack });
  town.cancels(MALLORY);
  expect(town.calls).toEqual([]);
  town.cancels("198.51.100.20");
  expect(town.calls).toEqual(["cancelled"]);
});

test("who is behind an edge takes back no call of somebody else's behind it", () => {
  const edge = "192.0.2.41";
  const town = line({ bob: { isEdge: (address) => address === edge } });
  const { calls } = bobAnswers(town, { afterMs: 60_000 });
  const proxy = town.network.attach({ address: edge });
  const phone = (port: number, noted: string) =>
    `Via: SIP/2.0/UDP 10.0.0.5:5060;branch=z9hG4bKphone;rport=${port};received=${noted}`;
  const say = (method: string, below: string) => {
    const rest = ["From: <sip:1000@a.example>;tag=a", "To: <sip:1001@a.example>", "Call-ID: one", `CSeq: 1 ${method}`];
    const via = `Via: SIP/2.0/UDP ${edge}:5060;branch=z9hG4bKedge`;
    const lines = [`${method} sip:1001@a.example SIP/2.0`, via, below, "Max-Forwards: 70", ...rest];
    proxy.send(`${lines.join("\r\n")}\r\nContact: <sip:1000@10.0.0.5>\r\nContent-Length: 0\r\n\r\n`, town.toBob);
    town.clock.pass(100);
  };
  say("INVITE", phone(40_001, "198.51.100.7"));
  say("CANCEL", phone(40_001, "198.51.100.8"));
  expect(calls).toEqual([]);
  say("CANCEL", phone(40_009, "198.51.100.7"));
  expect(calls).toEqual(["cancelled"]);
});
