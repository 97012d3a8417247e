// The parts that bench/webrtc.ts runs as processes of their own: asked for calls on their input, one a line.

import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type EmbeddedEngine, openEmbeddedEngine } from "../src/media/embedded/embedded.ts";
import type { WebGateway } from "../src/media/webrtc/gateway.ts";
import { openThreadGateway } from "../src/media/webrtc/thread-gateway.ts";
import type { Connected, Part } from "./web-edges.ts";

const HOST = "127.0.0.1";
const MOST_CALLS = 1_000;

export async function servePart(part: Part, ports: number): Promise<void> {
  process.on("SIGTERM", () => process.exit(0));
  const connect = part === "bare relay" ? bareRelay : await overEngine(part, ports);
  console.log("ready");
  for await (const line of createInterface(process.stdin)) {
    const { offer, phonePort } = JSON.parse(line) as { offer: string; phonePort: number };
    console.log(JSON.stringify(await connect(offer, phonePort)));
  }
  process.exit(0); // whoever asked is gone
}

type Connect = (offer: string, phonePort: number) => Promise<Connected>;

async function overEngine(part: Part, ports: number): Promise<Connect> {
  const engine = await openEmbeddedEngine({
    workers: 1,
    portRange: [ports + 2_000, ports + 5_999],
    browsers: { first: HOST, portRange: [ports, ports + 1_999] },
    address: HOST,
    workerPath: "dist/media-worker.js",
    mediaTimeoutMs: 0,
    log: console,
  });
  const { fingerprint } = engine;
  if (!fingerprint) throw new Error("OpenSSL cannot be called here");
  const settings = { bind: [HOST], reachableAt: [HOST] as [string], mostPeers: MOST_CALLS };
  const gateway = openThreadGateway({ settings, fingerprint, random: randomBytes });
  return part === "threads"
    ? (offer, phonePort) => browserAndPhone(engine, gateway, { offer, phonePort })
    : (_, phonePort) => twoPhones(engine, phonePort);
}

async function browserAndPhone(
  engine: EmbeddedEngine,
  gateway: WebGateway,
  { offer, phonePort }: { offer: string; phonePort: number },
): Promise<Connected> {
  const { stream, port: enginePort } = await engine.open({ forBrowser: true });
  const answered = await gateway.open({ enginePort, lost: () => undefined }).answer(offer, ["PCMA"]);
  if ("refused" in answered) throw new Error(answered.refused);
  await engine.settle(stream, answered.agreed);
  const phone = await openPhone(engine, phonePort, stream);
  await engine.join(stream, phone.stream);
  return { sdp: answered.sdp, port: phone.port };
}

async function twoPhones(engine: EmbeddedEngine, phonePort: number): Promise<Connected> {
  const one = await openPhone(engine, phonePort);
  const other = await openPhone(engine, phonePort, one.stream);
  await engine.join(one.stream, other.stream);
  return { port: one.port, second: other.port };
}

async function openPhone(engine: EmbeddedEngine, port: number, near?: string) {
  const opened = await engine.open(near === undefined ? {} : { near });
  await engine.settle(opened.stream, {
    codec: "PCMA",
    payloadType: 8,
    telephoneEvent: 101,
    remote: { address: HOST, port },
    direction: "sendrecv",
  });
  return opened;
}

/** What comes at one socket goes out by the other, as it came. */
async function bareRelay(_: string, phonePort: number): Promise<Connected> {
  const [one, other] = [createSocket("udp4"), createSocket("udp4")];
  for (const socket of [one, other]) socket.bind(0, HOST);
  await Promise.all([once(one, "listening"), once(other, "listening")]);
  one.on("message", (packet) => other.send(packet, phonePort, HOST));
  other.on("message", (packet) => one.send(packet, phonePort, HOST));
  return { port: one.address().port, second: other.address().port };
}
