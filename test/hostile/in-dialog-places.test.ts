// A datagram in the name of a phone, or a neighbour behind the same translator of addresses, speaks in a call whose names he has
// seen: what counts as the phone's own place, and what has to be proved even from there.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dialog } from "../../src/sip/dialog.ts";
import type { Response } from "../../src/sip/message/message.ts";
import { updateExchange } from "../../src/store/exchanges.ts";
import { CARRIER, HOME, inside, MALLORY, openWithinCalls, ROAMING, sdpAt, type WithinCalls } from "./within-calls.ts";

const METHODS = ["BYE", "REFER", "INVITE", "UPDATE", "INFO", "PRACK", "NOTIFY", "MESSAGE", "SUBSCRIBE", "OPTIONS"];
const STREAM = `tcp ${HOME}:40001`;
const BESIDE = `${HOME}:5099`;

let calls: WithinCalls;

beforeAll(async () => {
  calls = await openWithinCalls();
  // Who has logged in is answered however short his request was.
  for (const address of [HOME, ROAMING, MALLORY]) await calls.registers(address, "1001");
});

afterAll(() => calls.close());

/** Each a little later than the one before. */
function speaker(dialog: Dialog) {
  let later = 0;
  const next = () => {
    later += 10;
    return later;
  };
  return {
    asks: (from: string, method: string, at: string, sdp?: string): Promise<Response> =>
      calls.asks(from, inside(dialog, method, at, { sdp, later: next() })),
    proves: (from: string, method: string, at: string, sdp?: string): Promise<Response> =>
      calls.proves(from, inside(dialog, method, at, { sdp, later: next() })),
  };
}

test("no datagram, and no other connection of its address, speaks for a call over a connection", async () => {
  const { asks } = speaker(await calls.call(STREAM));
  for (const from of [HOME, `${HOME}:40001`, `tcp ${HOME}:40002`])
    for (const method of METHODS) expect((await asks(from, method, HOME)).status, `${method} ${from}`).toBe(401);
  expect(calls.current().events).toEqual([]);
  for (const method of ["INFO", "INVITE"]) expect((await asks(STREAM, method, HOME)).status, method).toBe(200);
  expect((await asks(STREAM, "REFER", HOME)).status).toBe(202);
});

test("a datagram does not speak for it even from where its extension is registered, too", async () => {
  const { asks } = speaker(await calls.call(STREAM));
  await calls.registers(`${HOME}:5070`);
  for (const method of METHODS) expect((await asks(`${HOME}:5070`, method, HOME)).status, method).toBe(401);
  expect(calls.current().events).toEqual([]);
});

test("a phone that comes back over another connection registers, or proves itself, and goes on", async () => {
  for (const isRegistered of [true, false]) {
    const { asks, proves } = speaker(await calls.call(STREAM));
    const back = isRegistered ? "tcp 192.0.2.99:40003" : "tcp 192.0.2.98:40004";
    if (isRegistered) await calls.registers(back);
    const says = isRegistered ? asks : proves;
    expect((await says(back, "INVITE", ROAMING)).status).toBe(200);
    expect((await asks(back, "BYE", ROAMING)).status).toBe(200);
    expect(calls.current().events).toEqual(["ended"]);
  }
});

test("from another port of its address a phone over UDP says what moves no voice, and is not spoken to there", async () => {
  const { asks } = speaker(await calls.call());
  for (const method of ["REFER", "INVITE"]) expect((await asks(BESIDE, method, BESIDE)).status, method).toBe(401);
  expect((await asks(BESIDE, "UPDATE", BESIDE)).status).toBe(401);
  for (const method of ["UPDATE", "NOTIFY", "INFO"])
    expect((await asks(BESIDE, method, BESIDE, "")).status, method).toBe(200);
  expect(await calls.hungUpAt()).toBe(`${HOME}:5060`);
});

test("a datagram from the phone's own place has to prove itself before it sends the call or its voice elsewhere", async () => {
  const { asks, proves } = speaker(await calls.call());
  expect((await asks(HOME, "REFER", HOME)).status).toBe(401);
  const fax = sdpAt(HOME, 4004).replace("m=audio", "m=image");
  for (const method of ["INVITE", "UPDATE"])
    for (const sdp of [sdpAt(MALLORY), sdpAt(HOME, 4002), fax])
      expect((await asks(HOME, method, HOME, sdp)).status, `${method} ${sdp}`).toBe(401);
  expect(calls.voiceTo()).toBe(`${HOME}:4000`);
  expect(calls.current().events).toEqual([]);
  expect((await proves(HOME, "INVITE", HOME, sdpAt(HOME, 4002))).status).toBe(200);
  expect(calls.voiceTo()).toBe(`${HOME}:4002`);
  expect((await proves(HOME, "REFER", HOME)).status).toBe(202);
  expect(calls.current().events).toEqual(["referred"]);
});

test("and is asked nothing for a hold, a sign of life, or its end", async () => {
  const { asks } = speaker(await calls.call());
  const held = `${sdpAt(HOME)}a=sendonly\r\n`;
  const nobody = sdpAt(HOME).replace(`c=IN IP4 ${HOME}`, "c=IN IP4 0.0.0.0");
  for (const sdp of [held, sdpAt(HOME), nobody])
    for (const method of ["UPDATE", "INVITE"]) expect((await asks(HOME, method, HOME, sdp)).status).toBe(200);
  expect((await asks(HOME, "UPDATE", HOME, "")).status).toBe(200);
  expect((await asks(HOME, "BYE", HOME)).status).toBe(200);
});

test("nor is anybody where the exchange has switched that off, nor a carrier", async () => {
  const { db, board, exchangeId } = calls;
  await updateExchange(db, exchangeId, { proof_within_calls: false });
  await board.directory.reload();
  const phone = speaker(await calls.call());
  expect((await phone.asks(HOME, "INVITE", HOME, sdpAt(HOME, 4002))).status).toBe(200);
  expect((await phone.asks(HOME, "REFER", HOME)).status).toBe(202);
  await updateExchange(db, exchangeId, { proof_within_calls: true });
  await board.directory.reload();
  expect((await phone.asks(HOME, "REFER", HOME)).status).toBe(401);
  const [from] = CARRIER;
  const carrier = speaker(await calls.call(from, "05320000000"));
  expect((await carrier.asks(from, "INVITE", from, sdpAt(from, 4002))).status).toBe(200);
  expect((await carrier.asks(from, "REFER", from)).status).toBe(202);
});

test("a Contact that was not proved leads nobody to another address", async () => {
  for (const method of ["UPDATE", "NOTIFY", "SUBSCRIBE"]) {
    const { asks } = speaker(await calls.call());
    await asks(HOME, method, MALLORY, "");
    expect((await asks(HOME, "INVITE", MALLORY, sdpAt(HOME))).status).toBe(200);
    expect(await calls.hungUpAt(), method).toBe(`${HOME}:5060`);
  }
});

test("a Contact that was proved, or came over the call's own connection, is followed", async () => {
  const phone = speaker(await calls.call());
  expect((await phone.proves(HOME, "INVITE", ROAMING, sdpAt(ROAMING))).status).toBe(200);
  expect(await calls.hungUpAt()).toBe(`${ROAMING}:5060`);
});

test("who has registered by UDP where he is now is spoken to there, whatever his Contact says", async () => {
  const { asks, proves } = speaker(await calls.call());
  await calls.registers(ROAMING);
  expect((await asks(ROAMING, "UPDATE", MALLORY, "")).status).toBe(200);
  expect((await asks(ROAMING, "INVITE", ROAMING)).status).toBe(401);
  expect((await proves(ROAMING, "INVITE", ROAMING)).status).toBe(200);
  expect(await calls.hungUpAt()).toBe(`${ROAMING}:5060`);
});
