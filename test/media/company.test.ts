// The embedded engine over real loopback UDP: muting, holding, several in a room, and who is believed.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { passing, RtpPhone } from "../phones/rtp-phone.ts";
import { CLEAR, NOT_AT_ALL, phonesOn } from "./phones.ts";

const town = phonesOn({ mediaTimeoutMs: 400 });

test("a muted party is not heard, a deafened one hears silence, and both may speak again", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  await town.engine.mute(a.stream, { says: true });
  await passing(60);
  await Promise.all([a.phone.listen(200), b.phone.listen(200)]);
  expect(await b.phone.soonHearsNoMore(440)).toBeLessThan(NOT_AT_ALL);
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  await town.engine.mute(a.stream, { says: false, hears: true });
  await passing(60);
  await Promise.all([a.phone.listen(200), b.phone.listen(200)]);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  expect(await a.phone.soonHearsNoMore(660)).toBeLessThan(NOT_AT_ALL);
});

test("a party on hold is sent nothing and not heard, and its partner hears music", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  await passing(60);
  await town.engine.settle(a.stream, a.phone.settings({ direction: "inactive" }));
  const music = town.engine.play(b.stream, { sounds: [{ is: "tone", spec: "800/1000" }], repeat: "forever" });
  await passing(60);
  a.phone.listenAnew();
  await b.phone.listen(200);
  expect(a.phone.received).toEqual([]);
  expect(await b.phone.soonHears(800)).toBeGreaterThan(0.05);
  expect(await b.phone.soonHearsNoMore(440)).toBeLessThan(NOT_AT_ALL);
  await town.engine.settle(a.stream, a.phone.settings());
  await town.engine.stopPlaying(b.stream);
  expect(await music).toEqual({ ended: "stopped" });
  await passing(60);
  await Promise.all([a.phone.listen(200), b.phone.listen(200)]);
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
});

test("three in a room hear the two others, whatever their codecs and threads", async () => {
  const a = await town.connect({ says: 440 });
  const b = await town.connect({ says: 660, codec: "G722" });
  const c = await town.connect({ says: 1000, codec: "PCMU" });
  const all = [a.stream, b.stream, c.stream];
  await town.engine.mix(
    "meeting",
    all.map((stream) => ({ stream, hears: all.filter((other) => other !== stream) })),
  );
  for (const [listener, others, own] of [
    [a, [660, 1000], 440],
    [b, [440, 1000], 660],
    [c, [440, 660], 1000],
  ] as const) {
    for (const hz of others) expect(await listener.phone.soonHears(hz)).toBeGreaterThan(CLEAR);
    expect(listener.phone.hears(own)).toBeLessThan(NOT_AT_ALL);
  }
  await town.engine.mix("meeting", []);
});

test("a supervisor listens, then whispers to the agent, and the customer hears neither", async () => {
  const customer = await town.connect({ says: 440 });
  const agent = await town.connect({ says: 660 });
  const supervisor = await town.connect({ says: 1000 });
  const [c, a, s] = [customer.stream, agent.stream, supervisor.stream];
  await town.engine.mix("call", [
    { stream: c, hears: [a] },
    { stream: a, hears: [c] },
    { stream: s, hears: [c, a] },
  ]);
  await passing(150);
  await Promise.all([customer, agent, supervisor].map(({ phone }) => phone.listen(200)));
  for (const hz of [440, 660]) expect(await supervisor.phone.soonHears(hz)).toBeGreaterThan(CLEAR);
  expect(agent.phone.hears(1000)).toBeLessThan(NOT_AT_ALL);
  await town.engine.mix("call", [
    { stream: c, hears: [a] },
    { stream: a, hears: [c, s] },
    { stream: s, hears: [c, a] },
  ]);
  await passing(100);
  await Promise.all([customer, agent].map(({ phone }) => phone.listen(200)));
  expect(await agent.phone.soonHears(1000)).toBeGreaterThan(CLEAR);
  expect(customer.phone.hears(1000)).toBeLessThan(NOT_AT_ALL);
  expect(await customer.phone.soonHears(660)).toBeGreaterThan(CLEAR);
});

test("phones carried by different threads are brought together, and the numbers they hear go on", async () => {
  const a = await town.connect({ says: 440 });
  const b = await town.connect({ says: 660 });
  const end = town.engine.play(b.stream, { sounds: [{ is: "tone", spec: "500/2000" }] });
  await b.phone.listen(100);
  await town.engine.join(a.stream, b.stream);
  expect(await end).toEqual({ ended: "stopped" });
  await passing(200);
  expect(new Set(b.phone.received.map((packet) => packet.ssrc)).size).toBe(1);
  await Promise.all([a.phone.listen(200), b.phone.listen(200)]);
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
});

test("a stranger is never heard, from another address or from another port", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  const strangers = await Promise.all([
    RtpPhone.open({ says: 1000, address: "127.0.0.2" }),
    RtpPhone.open({ says: 1000 }),
  ]);
  await passing(60);
  for (const stranger of strangers) stranger.talkTo(a);
  await b.phone.listen(300);
  await expect.poll(async () => (await town.engine.statistics(a.stream)).refused).toBeGreaterThan(20);
  for (const stranger of strangers) stranger.hangUp();
  expect(b.phone.hears(1000)).toBeLessThan(NOT_AT_ALL);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
});

test("a phone behind a translated address is believed where its signalling came from", async () => {
  const privately = { remote: { address: "192.168.7.7", port: 40_000 } };
  const a = await town.connect({ says: 440 }, { peerHint: "127.0.0.1" }, privately);
  const b = await town.connect({ says: 660 }, { near: a.stream });
  await town.engine.join(a.stream, b.stream);
  await Promise.all([a.phone.listen(200), b.phone.listen(200)]);
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  // Without the hint nobody may speak for that address.
  const c = await town.connect({ says: 880 }, {}, privately);
  await passing(100);
  expect((await town.engine.statistics(c.stream)).packetsIn).toBe(0);
});

test("new signalling moves the stream to another phone, and the old one is no longer heard", async () => {
  const { a, b } = await town.callBetween({ says: 440 }, { says: 660 });
  await passing(60);
  const other = await RtpPhone.open({ says: 1000 });
  other.talkTo(a);
  await town.engine.settle(a.stream, other.settings());
  await passing(60);
  await Promise.all([other.listen(200), b.phone.listen(200)]);
  expect(await b.phone.soonHears(1000)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHearsNoMore(440)).toBeLessThan(NOT_AT_ALL);
  expect(await other.soonHears(660)).toBeGreaterThan(CLEAR);
  other.hangUp();
});

test.each([
  [true, true],
  [true, false],
])("encrypted phones hear each other (both sides: %s, %s), and forged packets are dropped", async (one, other) => {
  const keys = () => ({
    suite: "AES_CM_128_HMAC_SHA1_80" as const,
    localKey: randomBytes(30).toString("base64"),
    remoteKey: randomBytes(30).toString("base64"),
  });
  const { a, b } = await town.callBetween(
    { says: 440, ...(one ? { srtp: keys() } : {}) },
    { says: 660, ...(other ? { srtp: keys() } : {}) },
  );
  await Promise.all([a.phone.listen(300), b.phone.listen(300)]);
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  const { refused } = await town.engine.statistics(a.stream);
  for (let i = 0; i < 5; i++) a.phone.sendRaw(Buffer.concat([Buffer.from([0x80, 8, 0, i]), randomBytes(180)]), a);
  await expect.poll(async () => (await town.engine.statistics(a.stream)).refused).toBe(refused + 5);
});

test("loss and reordering are counted and hardly heard", async () => {
  const lossy = { loses: (packet: number) => packet % 20 === 7, reorders: true };
  const { a, b } = await town.callBetween({ says: 440, ...lossy }, { says: 660, codec: "G722" });
  await passing(300);
  await b.phone.listen(600);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  const { lost, packetsIn } = await town.engine.statistics(a.stream);
  expect(lost / (lost + packetsIn)).toBeGreaterThan(0.02);
  expect(lost / (lost + packetsIn)).toBeLessThan(0.1);
});

test("a phone that vanishes is noticed, and one that only listens is not", async () => {
  const a = await town.connect({ says: 440 });
  const held = await town.connect({ says: 440 }, {}, { direction: "sendonly" });
  await passing(60);
  a.phone.hush();
  held.phone.hush();
  town.events.length = 0; // on a machine that stood still both were silent before
  expect((await town.told("silent", a.stream)).forMs).toBeGreaterThanOrEqual(400);
  await passing(300);
  expect(town.events.filter((event) => event.is === "silent")).toHaveLength(1);
});

test("a fax machine is recognised by its tone when somebody asked", async () => {
  const caller = await town.connect({ says: 1100 });
  const answerer = await town.connect({ says: 2100 });
  const speaker = await town.connect({ says: 1100 });
  await town.engine.listenFor(caller.stream, { faxTones: true });
  await town.engine.listenFor(answerer.stream, { faxTones: true });
  expect(await town.told("fax-tone", caller.stream)).toMatchObject({ tone: "cng" });
  expect(await town.told("fax-tone", answerer.stream)).toMatchObject({ tone: "ced" });
  expect(town.events.some((event) => event.is === "fax-tone" && event.stream === speaker.stream)).toBe(false);
});

test("what is asked of a closed stream is simply not done", async () => {
  const a = await town.connect({ says: 440 });
  const playing = town.engine.play(a.stream, { sounds: [{ is: "silence", ms: 5000 }] });
  await passing(30);
  await town.engine.close(a.stream);
  expect(await playing).toEqual({ ended: "stream-closed" });
  expect(await town.engine.play(a.stream, { sounds: [{ is: "silence", ms: 1 }] })).toEqual({ ended: "stream-closed" });
  expect(await town.engine.record(a.stream, { path: "/nowhere", maxMs: 1 })).toMatchObject({ ended: "stream-closed" });
  await town.engine.join(a.stream, "nobody");
  expect((await town.engine.statistics(a.stream)).packetsIn).toBe(0);
});
