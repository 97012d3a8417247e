// Browsers on the embedded engine's own threads, played by a library that is not ours, with a wire between them that can be
// listened to: voice, keys, new ways, threads, and whoever speaks without having been asked.

import { randomBytes } from "node:crypto";
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { type RTCPeerConnection, RtpHeader } from "werift";
import type { WebGateway, WebPeer } from "../../src/media/webrtc/gateway.ts";
import { openThreadGateway } from "../../src/media/webrtc/thread-gateway.ts";
import { eventually } from "../ground/eventually.ts";
import { BROWSERS_DIGITS as DIGITS, openLibraryBrowser } from "../phones/library-browser.ts";
import { passing } from "../phones/rtp-phone.ts";
import { phonesOn } from "./phones.ts";

vi.setConfig({ testTimeout: 240_000 });

const HOST = "127.0.0.1";
const A_LAW = 8;
const SETTINGS = { bind: [HOST], reachableAt: [HOST] as [string], mostPeers: 2 };

const town = phonesOn({ browsers: { first: HOST, portRange: [0, 0] } });
let gateway: WebGateway;
const open: { close(): unknown }[] = [];

beforeAll(() => {
  gateway = openThreadGateway({ settings: SETTINGS, fingerprint: town.engine.fingerprint!, random: randomBytes });
});

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type Wire = { port: number; engine: Socket; sent: Buffer[]; toBrowser: number };

/** Between a browser and the port of its stream; what the browser says is noted as it goes by. */
async function wireTo(port: number): Promise<Wire> {
  const [browserSide, engine] = [createSocket("udp4"), createSocket("udp4")];
  for (const socket of [browserSide, engine]) {
    socket.bind(0, HOST);
    await once(socket, "listening");
    open.push(socket);
  }
  const wire: Wire = { port: browserSide.address().port, engine, sent: [], toBrowser: 0 };
  let browser: RemoteInfo | undefined;
  browserSide.on("message", (packet, from) => {
    browser = from;
    wire.sent.push(packet);
    engine.send(packet, port, HOST);
  });
  engine.on("message", (packet) => {
    wire.toBrowser += 1;
    if (browser) browserSide.send(packet, browser.port, HOST);
  });
  return wire;
}

function openBrowser(): RTCPeerConnection {
  const browser = openLibraryBrowser();
  open.push(browser);
  return browser;
}

type Talking = { browser: RTCPeerConnection; peer: WebPeer; stream: string; wire: Wire; heard: Buffer[] };

/** A browser that calls, up to the moment that its voice can pass. */
async function browserCalls(): Promise<Talking> {
  const browser = openBrowser();
  browser.addTransceiver("audio", { direction: "sendrecv" });
  const { stream, port } = await town.engine.open({ forBrowser: true });
  open.push({ close: () => town.engine.close(stream) });
  const wire = await wireTo(port);
  const peer = gateway.open({ enginePort: wire.port, lost: () => undefined });
  open.push(peer);
  const heard: Buffer[] = [];
  await agree({ browser, peer, stream });
  await eventually("the browser is connected", async () => browser.connectionState === "connected");
  browser.dtlsTransports[0]?.onRtp.subscribe(({ payload }) => heard.push(payload));
  return { browser, peer, stream, wire, heard };
}

async function agree({ browser, peer, stream }: Pick<Talking, "browser" | "peer" | "stream">) {
  await browser.setLocalDescription(await browser.createOffer());
  const answered = await peer.answer(browser.localDescription?.sdp ?? "", ["PCMA"]);
  if ("refused" in answered) throw new Error(answered.refused);
  await town.engine.settle(stream, answered.agreed);
  await browser.setRemoteDescription({ type: "answer", sdp: answered.sdp });
  return answered;
}

let sequence = 0;

async function says({ browser }: Talking, payload: Buffer, { payloadType = A_LAW, since = 0 } = {}): Promise<void> {
  sequence += 1;
  const timestamp = (since || sequence) * 160;
  const header = new RtpHeader({ payloadType, sequenceNumber: sequence, timestamp, ssrc: 77 });
  await browser.dtlsTransports[0]?.sendRtp(payload, header);
}

/** Fifty times a second, until the returned function is called. */
function talks(talking: Talking): () => void {
  const timer = setInterval(() => void says(talking, Buffer.alloc(160, 0xd5)), 20);
  open.push({ close: () => clearInterval(timer) });
  return () => clearInterval(timer);
}

const statistics = (stream: string) => town.engine.statistics(stream);
const isVoice = (packet: Buffer) => packet[0]! >= 128 && packet.length > 150;

test("a browser and a phone hear each other and press keys, wherever their threads are", async () => {
  const talking = await browserCalls();
  const { stream } = talking;
  // Two threads: the one that joins later comes over to the other.
  const { phone, stream: other } = await town.connect({ says: 440, events: 101 });
  await town.engine.join(other, stream);
  talks(talking);
  await eventually("the browser hears the phone", async () => talking.heard.length > 10);
  phone.listenAnew();
  await eventually("the phone hears the browser", async () => phone.received.length > 10);
  const since = sequence + 1;
  for (const [units, end] of [
    [160, 0],
    [480, 0],
    [960, 0x80],
    [960, 0x80],
  ] as const)
    await says(talking, Buffer.from([5, end | 10, units >> 8, units & 255]), { payloadType: DIGITS, since });
  expect(await town.told("digit", stream)).toMatchObject({ digit: "5" });
  await eventually("it is passed on", async () => phone.keys === "5");
  await town.engine.killThreadOf(stream);
  expect(await town.told("lost", stream)).toMatchObject({ is: "lost" });
});

test("a browser that looks for a new way keeps its call, and one that falls silent is missed until it speaks", async () => {
  const talking = await browserCalls();
  const { browser, peer, stream } = talking;
  const { phone, stream: other } = await town.connect({ says: 440 }, { near: stream });
  await town.engine.join(stream, other);
  const stop = talks(talking);
  await eventually("it is heard", async () => phone.received.length > 10);
  const fragment = /a=ice-ufrag:(\S+)/;
  const [, before] = fragment.exec((await agree(talking)).sdp) ?? [];
  const begunAnew = (browser.localDescription?.sdp ?? "").replace(/a=ice-ufrag:\S+/g, "a=ice-ufrag:anew");
  const answered = await peer.answer(begunAnew, ["PCMA"]);
  if ("refused" in answered) throw new Error(answered.refused);
  expect(fragment.exec(answered.sdp)?.[1]).not.toBe(before);
  await town.engine.settle(stream, answered.agreed);
  talking.heard.length = 0;
  phone.listenAnew();
  await eventually("the old way still leads", async () => talking.heard.length > 10 && phone.received.length > 10);
  stop();
  expect(await town.told("away", stream)).toMatchObject({ on: true });
  town.events.length = 0;
  talks(talking);
  expect(await town.told("away", stream)).toMatchObject({ on: false });
});

test("strangers get no answer, and what was overheard is worth nothing a second time", async () => {
  const talking = await browserCalls();
  const { stream, wire } = talking;
  const { phone, stream: other } = await town.connect({ says: 440 }, { near: stream });
  await town.engine.join(stream, other);
  const stop = talks(talking);
  await eventually("it is heard", async () => phone.received.length > 20);
  stop();
  await passing(100);
  const { packetsIn, refused } = await statistics(stream);
  const stranger = createSocket("udp4");
  stranger.bind(0, HOST);
  await once(stranger, "listening");
  open.push(stranger);
  let answers = 0;
  stranger.on("message", () => {
    answers += 1;
  });
  const enginePort = await portOf(wire);
  const checks = wire.sent.filter((packet) => packet[0]! < 4 && packet.readUInt16BE(0) === 1);
  const voices = wire.sent.filter(isVoice).slice(-20);
  const guessed = Buffer.from(checks[0]!);
  guessed[guessed.length - 10]! ^= 1;
  const lies = [...checks, guessed, ...voices, randomBytes(20), Buffer.alloc(12, 0x80), Buffer.alloc(1_800, 20)];
  for (const lie of lies) stranger.send(lie, enginePort, HOST);
  for (const voice of [...voices, Buffer.alloc(172, 0x80)]) wire.engine.send(voice, enginePort, HOST);
  await eventually("all are refused", async () => (await statistics(stream)).refused - refused >= lies.length + 20);
  expect(answers).toBe(0);
  expect((await statistics(stream)).packetsIn).toBe(packetsIn);
  // Its voice still goes where the browser is.
  const before = talking.heard.length;
  await eventually("the browser hears the phone", async () => talking.heard.length > before + 10);
  expect(answers).toBe(0);

  const more = gateway.open({ enginePort: 4_000, lost: () => undefined });
  const many = gateway.open({ enginePort: 4_002, lost: () => undefined });
  open.push(more);
  await more.offer(["PCMA"]);
  await expect(many.offer(["PCMA"])).rejects.toThrow("as many browsers");
  expect(await many.answer("v=0\r\n", ["PCMA"])).toEqual({ refused: "no-common-codec" });
});

/** Where its last packet went. */
async function portOf({ engine }: Wire): Promise<number> {
  const [, from] = (await once(engine, "message")) as [Buffer, RemoteInfo];
  return from.port;
}
