// Streams outlive their process: it is killed, the next one opens the same ports, and the phones hear each other again
// without having been told anything.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EmbeddedOptions } from "../../src/media/embedded/embedded.ts";
import { readLeftBehind } from "../../src/media/embedded/left-behind.ts";
import { readWav } from "../../src/media/wav.ts";
import type { SrtpKeys } from "../../src/sdp/agreed.ts";
import { cryptoSuites } from "../../src/sdp/crypto.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { whenOver } from "../ground/when-over.ts";
import { libsrtp } from "../phones/libsrtp.ts";
import { type PhoneOptions, passing, type RtpPhone } from "../phones/rtp-phone.ts";
import { loudestTone, toneLevel } from "../phones/tone-level.ts";
import { CLEAR, NOT_AT_ALL } from "./phones.ts";
import type { RemoteEngine } from "./remote-engine.ts";
import {
  connect,
  hearEachOther,
  kill,
  ledgerFolder,
  start,
  type Talk,
  talk,
  withRemoteEngines,
} from "./remote-talk.ts";

withRemoteEngines();

type Received = RtpPhone["received"][number];

async function goOn(engine: RemoteEngine, { a, b }: Pick<Talk, "a" | "b">): Promise<void> {
  expect((await engine.leftBehind()).sort()).toEqual([a.stream, b.stream].sort());
  for (const { stream, address, port } of [a, b]) expect(await engine.resume(stream)).toEqual({ address, port });
  await engine.join(a.stream, b.stream);
}

/** What the ledger says of the call is as old as this at most: it is written once a second. */
const entered = (folder: string) =>
  eventually("the ledger has both", async () => ledgersIn(folder).some((path) => statSync(path).size >= 3 * 2048));

/** Once it was entered. */
function countsIn(folder: string, stream: string): { packetsIn: number; packetsOut: number } {
  const { streams } = readLeftBehind({ folder, addresses: ["127.0.0.1"], log: { warn() {} } });
  return streams.get(stream)!.kept.counters;
}

const ledgersIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".ledger"))
    .map((name) => join(folder, name));

/** How far the second lies behind the first. */
const ahead = (before: number, after: number) => ((after - before) << 16) >> 16;

function expectOnlyForward(before: Received[], after: Received[]): void {
  expect(new Set([...before, ...after].map(({ ssrc }) => ssrc)).size).toBe(1);
  const last = before.reduce((last, one) => (ahead(last.sequence, one.sequence) > 0 ? one : last));
  expect(after[0]!.marker).toBe(true);
  for (const { sequence, timestamp } of after) {
    expect(ahead(last.sequence, sequence)).toBeGreaterThan(0);
    expect((timestamp - last.timestamp) | 0).toBeGreaterThan(0);
  }
}

function keysOf(suite: SrtpKeys["suite"]): SrtpKeys {
  const key = (octet: number) => Buffer.alloc(cryptoSuites[suite], octet).toString("base64");
  return { suite, localKey: key(1), remoteKey: key(2) };
}

const ways: [string, Partial<EmbeddedOptions>, PhoneOptions][] = [
  ["one thread", { workers: 1 }, {}],
  ["two threads, and another codec on the other side", { workers: 2 }, { codec: "G722" }],
  ["node:dgram", { withoutLibc: true }, {}],
  ["SRTP in counter mode, on a phone with libsrtp", {}, { srtp: keysOf("AES_CM_128_HMAC_SHA1_80"), cipher: libsrtp }],
  ["SRTP by AES-GCM, on a phone with libsrtp", {}, { srtp: keysOf("AEAD_AES_256_GCM"), cipher: libsrtp }],
];

test.each(ways)("a process is killed, and the next one goes on with its call: %s", async (_, options, other) => {
  const ledger = await ledgerFolder();
  const first = await freePorts(40);
  const settings: Partial<EmbeddedOptions> = { ...options, ledgerFolder: ledger, portRange: [first, first + 39] };
  const { engine, a, b } = await talk(await start(settings), {}, other);
  await entered(ledger);
  // The numbers of the phones turn over at their thirty-sixth packet: the ledger knows of it.
  await eventually("that they did", async () => [a, b].every(({ stream }) => countsIn(ledger, stream).packetsIn > 40));
  await kill(engine);
  const kept = [a, b].map(({ stream }) => countsIn(ledger, stream));
  const before = [a, b].map(({ phone }) => [...phone.received]);
  const next = await start(settings);
  for (const { phone } of [a, b]) phone.listenAnew();
  await goOn(next, { a, b });
  await next.forgetLeftBehind();
  expect(await a.phone.soonHears(660)).toBeGreaterThan(CLEAR);
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  for (const [i, { phone }] of [a, b].entries()) expectOnlyForward(before[i]!, phone.received);
  for (const [i, { stream }] of [a, b].entries()) {
    const { lost, packetsIn, packetsOut, refused } = await next.statistics(stream);
    expect({ lost, refused }).toEqual({ lost: 0, refused: 0 });
    expect(packetsIn).toBeGreaterThan(kept[i]!.packetsIn);
    expect(packetsOut).toBeGreaterThan(kept[i]!.packetsOut);
  }
  expect(next.warnings).toEqual([]);
});

test("a process that dies again before it has forgotten anything leaves the call to the third", async () => {
  const ledger = await ledgerFolder();
  const settings = { ledgerFolder: ledger, portRange: [0, 0] as [number, number] };
  const { engine, a, b } = await talk(await start(settings), {}, { srtp: keysOf("AES_CM_128_HMAC_SHA1_80") });
  await entered(ledger);
  await kill(engine);
  const second = await start(settings);
  await goOn(second, { a, b });
  await hearEachOther({ a, b });
  await kill(second);
  const before = [...b.phone.received];
  const third = await start(settings);
  b.phone.listenAnew();
  await goOn(third, { a, b });
  expect(await b.phone.soonHears(440)).toBeGreaterThan(CLEAR);
  expectOnlyForward(before, b.phone.received);
  // A room is asked for anew.
  const [one, other] = [a.stream, b.stream];
  await third.mix("room", [
    { stream: one, hears: [other] },
    { stream: other, hears: [one] },
  ]);
  await hearEachOther({ a, b });
  await third.forgetLeftBehind();
  expect(ledgersIn(ledger)).toHaveLength(1);
});

test("who has shown himself to one process, if only by a report, is spoken to by the next without another sign", async () => {
  const ledger = await ledgerFolder();
  const settings = { ledgerFolder: ledger, portRange: [0, 0] as [number, number] };
  const engine = await start(settings);
  const source = { is: "address", name: "203.0.113.9", exchange: 1 };
  const terms = { source, latching: "never" };
  // Five: without a sign only four would be spoken to.
  const listeners = await Promise.all(
    Array.from({ length: 5 }, () => connect(engine, { address: "127.0.0.77", loses: () => true }, terms)),
  );
  const isProved = (stream: string) =>
    readLeftBehind({ folder: ledger, addresses: ["127.0.0.1"], log: { warn() {} } }).streams.get(stream)?.kept.facts
      .fields.isProved;
  const report = Buffer.from("80c9000109090909", "hex");
  for (const { phone, address, port } of listeners) phone.sendRaw(report, { address, port: port + 1 });
  await eventually("the ledger says so", async () => listeners.every(({ stream }) => isProved(stream)));
  await kill(engine);
  const next = await start(settings);
  for (const { stream, phone } of listeners) {
    await next.resume(stream);
    phone.listenAnew();
    void next.play(stream, { sounds: [{ is: "tone", spec: "440/60000" }] });
  }
  for (const { phone } of listeners) expect(await phone.soonHears(440)).toBeGreaterThan(CLEAR);
});

test("who hands over says no goodbye, and who stops does", async () => {
  const settings = { ledgerFolder: await ledgerFolder(), portRange: [0, 0] as [number, number] };
  const reports = await listenForReports();
  const { engine, a, b } = await talk(await start(settings), {}, {}, { remoteRtcpPort: reports.port });
  await eventually("a report", async () => reports.types().includes(REPORT));
  await engine.stop({ handOver: true });
  await kill(engine);
  expect(reports.types()).not.toContain(GOODBYE);
  const next = await start(settings);
  await goOn(next, { a, b });
  await hearEachOther({ a, b });
  await next.stop();
  await eventually("a goodbye", async () => reports.types().includes(GOODBYE));
  expect(readdirSync(settings.ledgerFolder)).toHaveLength(2);
});

const REPORT = 200;
const GOODBYE = 203;

async function listenForReports() {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  whenOver(() => socket.close());
  const heard: number[] = [];
  socket.on("message", (packet) => {
    for (let at = 0; at < packet.length; at += 4 * (packet.readUInt16BE(at + 2) + 1)) heard.push(packet[at + 1]!);
  });
  return { port: socket.address().port, types: () => heard };
}

test("ports of streams left behind are nobody else's until they are forgotten", async () => {
  const ledger = await ledgerFolder();
  const first = await freePorts(5);
  const even = first + (first % 2);
  const settings: Partial<EmbeddedOptions> = { ledgerFolder: ledger, portRange: [even, even + 3] };
  const { engine, a, b } = await talk(await start(settings), {}, {});
  await entered(ledger);
  await kill(engine);
  const next = await start(settings);
  expect(await next.resume(a.stream)).toMatchObject({ port: a.port });
  await expect(next.open()).rejects.toThrow("no free port");
  await next.forgetLeftBehind();
  expect(await next.leftBehind()).toEqual([]);
  expect(await next.resume(b.stream)).toBeUndefined();
  expect((await next.open()).port).toBe(b.port);
});

test("a stream whose port somebody else took meanwhile cannot be gone on with, and that is said", async () => {
  const ledger = await ledgerFolder();
  const settings: Partial<EmbeddedOptions> = { ledgerFolder: ledger, portRange: [0, 0] };
  const { engine, a, b } = await talk(await start(settings), {}, {});
  await entered(ledger);
  await kill(engine);
  const thief = createSocket("udp4").bind(a.port, "127.0.0.1");
  await once(thief, "listening");
  const next = await start(settings);
  expect(await next.leftBehind()).toEqual([b.stream]);
  expect(await next.resume(a.stream)).toBeUndefined();
  expect(await next.resume(b.stream)).toMatchObject({ port: b.port });
  expect(next.warnings).toMatchObject([{ stream: a.stream, why: "its port is not free, or it is too late" }]);
  thief.close();
});

test("the ledger is nobody else's to read, loses the keys of a call that is over, and goes with its process", async () => {
  const ledger = await ledgerFolder();
  const keys = keysOf("AES_CM_128_HMAC_SHA1_80");
  const { engine, b } = await talk(await start({ ledgerFolder: ledger, portRange: [0, 0] }), {}, { srtp: keys });
  const path = await eventually("a ledger", async () => ledgersIn(ledger)[0]);
  const holdsKeys = () => readFileSync(path, "latin1").includes(keys.localKey);
  await eventually("the keys are in it", async () => holdsKeys());
  for (const name of readdirSync(ledger)) expect(statSync(join(ledger, name)).mode & 0o077).toBe(0);
  await engine.close(b.stream);
  await eventually("the keys are gone", async () => !holdsKeys());
  await engine.stop();
  expect(readdirSync(ledger)).toEqual([]);
});

test("a recording goes on in its file, and is as long as the call with the time in which nobody wrote", async () => {
  const ledger = await ledgerFolder();
  const path = join(ledger, "call.wav");
  const settings: Partial<EmbeddedOptions> = { ledgerFolder: ledger, portRange: [0, 0] };
  const { engine, a, b } = await talk(await start(settings), {}, {});
  const begunMs = performance.now();
  await engine.recordCall({ left: a.stream, right: b.stream, path });
  await entered(ledger);
  await passing(2_000);
  const killedMs = performance.now();
  await kill(engine);
  const next = await start(settings);
  await goOn(next, { a, b });
  const onMs = performance.now();
  await next.recordCall({ left: a.stream, right: b.stream, path, goesOn: true });
  await hearEachOther({ a, b });
  await passing(1_000);
  const { durationMs } = await next.stopCallRecording(path);
  expect(Math.abs(durationMs - (performance.now() - begunMs))).toBeLessThan(500);
  const wav = readWav(await readFile(path));
  if (wav.is === "unreadable") throw new Error(wav.why);
  expect(wav.samples.length / 2 / 8_000).toBeCloseTo(durationMs / 1_000, 2);
  const left = wav.samples.filter((_, i) => i % 2 === 0);
  const between = (fromMs: number, toMs: number) => left.subarray(8 * (fromMs - begunMs), 8 * (toMs - begunMs));
  // A machine that stood still for a moment has silence in its place.
  expect(loudestTone(between(begunMs, killedMs - 1_000), 440, 8_000)).toBeGreaterThan(CLEAR);
  expect(toneLevel(between(killedMs + 50, onMs - 50), 440, 8_000)).toBeLessThan(NOT_AT_ALL);
  expect(loudestTone(between(onMs, onMs + durationMs), 440, 8_000)).toBeGreaterThan(CLEAR);
});

test("keys that were agreed on by DTLS hold in the next process, whose certificate is the same", async () => {
  const ledger = await ledgerFolder();
  const settings: Partial<EmbeddedOptions> = { ledgerFolder: ledger, portRange: [0, 0] };
  const far = await start({ portRange: [0, 0] });
  const engine = await start(settings);
  const ours = (await engine.fingerprint())!;
  const theirs = (await far.fingerprint())!;
  const [near, there] = [await engine.open(), await far.open()];
  const phone = { says: 440 };
  const a = await connect(engine, phone);
  const b = await connect(far, { says: 660 });
  const shared = { codec: "PCMA", payloadType: 8, direction: "sendrecv" } as const;
  await far.settle(there.stream, { ...shared, remote: near, dtls: { isClient: false, fingerprints: [ours] } });
  await engine.settle(near.stream, { ...shared, remote: there, dtls: { isClient: true, fingerprints: [theirs] } });
  await far.join(b.stream, there.stream);
  await engine.join(a.stream, near.stream);
  await hearEachOther({ a, b });
  await entered(ledger);
  await passing(500);
  await kill(engine);
  const next = await start(settings);
  expect(await next.fingerprint()).toEqual(ours);
  await goOn(next, { a, b: { ...b, ...near } });
  await hearEachOther({ a, b });
});

test("who was gone on with talks to somebody else afterwards, in whichever thread that one is", async () => {
  const portRange: [number, number] = [0, 0];
  const options = { ledgerFolder: await ledgerFolder(), portRange, workers: 2 };
  const before = await talk(await start(options), {}, {});
  await entered(options.ledgerFolder);
  await kill(before.engine);
  const engine = await start(options);
  await goOn(engine, before);
  await engine.forgetLeftBehind();
  let former = before.b;
  for (const says of [880, 1_000]) {
    const c = await connect(engine, { says });
    await engine.join(before.a.stream, c.stream);
    await engine.close(former.stream);
    await hearEachOther({ a: before.a, b: c });
    former = c;
  }
});
