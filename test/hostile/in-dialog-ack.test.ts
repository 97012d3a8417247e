// An ACK is never answered, and nobody can be asked for a password for it: whoever has seen the names of a call sends one in
// the caller's place, to have its voice or to end it.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dialog } from "../../src/sip/dialog.ts";
import type { Request } from "../../src/sip/message/message.ts";
import { answeredCall } from "../phones/sip-phones.ts";
import {
  CARRIER,
  counted,
  HOME,
  inside,
  MALLORY,
  openWithinCalls,
  SDP_TYPE,
  sdpAt,
  type WithinCalls,
} from "./within-calls.ts";

let calls: WithinCalls;

beforeAll(async () => {
  calls = await openWithinCalls();
  // Who has logged in is answered however short his request was.
  await calls.registers(HOME, "1001");
});

afterAll(() => calls.close());

const saying = (ack: Request, address: string): Request => ({
  ...ack,
  headers: [...ack.headers, SDP_TYPE],
  body: sdpAt(address),
});

/** A re-INVITE with this offer, or none, as the phone asks it; and the ACK that its answer wants. */
async function changes(dialog: Dialog, from: string, sdp: string): Promise<Request> {
  const offered = inside(dialog, "INVITE", from, { later: 20, sdp: sdp || undefined });
  const invite = sdp === "" ? withoutOffer(offered) : offered;
  const first = await calls.asks(from, invite);
  const asked = first.status === 401 ? counted(invite, calls.proofFor(invite, first, "1000")) : invite;
  const answer = first.status === 401 ? await calls.asks(from, asked) : first;
  expect(answer.status).toBe(200);
  return answeredCall(asked, answer).ack;
}

const withoutOffer = (request: Request): Request => ({
  ...request,
  headers: request.headers.filter(({ name }) => name !== "Content-Type"),
  body: "",
});

test("of a call without an offer of its own decides nothing about its voice, and the caller's does", async () => {
  const { ack } = await calls.answered(HOME, { isLate: true });
  await calls.says(MALLORY, saying(ack, MALLORY));
  expect(calls.voiceTo()).toBeUndefined();
  await calls.says(HOME, saying(ack, HOME));
  expect(calls.voiceTo()).toBe(`${HOME}:4000`);
  expect(calls.current().events).toEqual([]);
});

test("without an answer in it ends no such call", async () => {
  const { ack } = await calls.answered(HOME, { isLate: true });
  await calls.says(MALLORY, ack);
  expect(calls.current().events).toEqual([]);
  await calls.says(HOME, saying(ack, HOME));
  expect([calls.voiceTo(), calls.current().events]).toEqual([`${HOME}:4000`, []]);
});

test("does not keep our answer from being said again until the caller has heard it", async () => {
  const { ack } = await calls.answered(HOME);
  await calls.says(MALLORY, ack);
  const before = calls.network.carried().length;
  await calls.passes(2_000);
  const again = calls.network.carried().slice(before);
  expect(again.filter(({ octets, to }) => to === `${HOME}:5060` && octets.startsWith("SIP/2.0 200")).length).toBe(2);
  await calls.says(HOME, ack);
  await calls.passes(40_000);
  expect(calls.current().events).toEqual([]);
});

test("moves no voice when the phone has asked us to say where ours is, or after an offer of its own", async () => {
  for (const sdp of ["", sdpAt(HOME)]) {
    const dialog = await calls.call();
    const ack = await changes(dialog, HOME, sdp);
    await calls.says(MALLORY, saying(ack, MALLORY));
    expect(calls.voiceTo()).toBe(`${HOME}:4000`);
    await calls.says(HOME, sdp === "" ? saying(ack, HOME) : ack);
    expect([calls.voiceTo(), calls.current().events]).toEqual([`${HOME}:4000`, []]);
  }
});

test("of a carrier comes from any of its addresses", async () => {
  const [from, other] = CARRIER;
  const { ack } = await calls.answered(from, { user: "05320000000", isLate: true });
  await calls.says(MALLORY, saying(ack, MALLORY));
  expect(calls.voiceTo()).toBeUndefined();
  await calls.says(other, saying(ack, other));
  expect(calls.voiceTo()).toBe(`${other}:4000`);
});
