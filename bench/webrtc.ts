// What a browser's call costs the WebRTC gateway, beside a bare relay of the same packets: node bench/run.mjs bench/webrtc.ts [calls]

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { RTCPeerConnection, RTCRtpCodecParameters, RtpHeader } from "werift";
import { pause, realClock } from "../src/clock.ts";
import { silentLog } from "../src/log.ts";
import { openWebGateway, type WebPeer } from "../src/media/webrtc/gateway.ts";

const CALLS = Number(process.argv[2] ?? 10);
const SECONDS = 10;
const PACKET_MS = 20;
const HOST = "127.0.0.1";
const VOICE = Buffer.alloc(160, 0xd5);
const TICKS_A_SECOND = 100;

type Call = { peer: WebPeer; browser: RTCPeerConnection; engine: Socket; port: number; setUpMs: number };

const gateway = openWebGateway({
  clock: realClock,
  log: silentLog,
  processPath: "dist/webrtc-gateway.js",
  settings: {
    bind: [HOST],
    reachableAt: [HOST],
    inside: HOST,
    mostPeers: CALLS,
    ports: { from: 18_000, to: 18_000 + 2 * CALLS + 1 },
  },
});

const calls: Call[] = [];
for (let n = 0; n < CALLS; n++) calls.push(await openCall());
const received = { browser: 0, engine: 0 };
for (const { browser, engine } of calls) {
  browser.dtlsTransports[0]?.onRtp.subscribe(() => void received.browser++);
  engine.on("message", () => received.engine++);
}
const before = cpuSeconds(gateway.pid());
const sent = await talk((sequence, call) => speak(call, sequence));
const percent = ((cpuSeconds(gateway.pid()) - before) / SECONDS) * 100;
const bare = await bareRelay();
const times = calls.map(({ setUpMs }) => setUpMs).sort((a, b) => a - b);
console.log(`bare relay of the same packets   ${(bare / CALLS).toFixed(2)} % of a core a call   ratio 1.00`);
console.log(
  `gateway                          ${(percent / CALLS).toFixed(2)} % of a core a call   ratio ${(percent / bare).toFixed(2)}`,
);
console.log(
  `${CALLS} calls, ${sent} packets each way; heard by browsers ${received.browser}, by the engine ${received.engine}`,
);
console.log(`set-up: first ${calls[0]?.setUpMs.toFixed(0)} ms, median ${times[CALLS >> 1]?.toFixed(0)} ms`);
for (const { peer, browser, engine } of calls) {
  await peer.close();
  await browser.close();
  engine.close();
}
await gateway.stop();
process.exit(0);

async function openCall(): Promise<Call> {
  const engine = createSocket("udp4");
  engine.bind(0, HOST);
  await once(engine, "listening");
  const codec = new RTCRtpCodecParameters({ mimeType: "audio/PCMA", clockRate: 8_000, channels: 1, payloadType: 8 });
  const browser = new RTCPeerConnection({
    codecs: { audio: [codec] },
    headerExtensions: { audio: [] },
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [HOST],
    iceInterfaceAddresses: { udp4: HOST },
  });
  browser.addTransceiver("audio", { direction: "sendrecv" });
  await browser.setLocalDescription(await browser.createOffer());
  const began = performance.now();
  const peer = gateway.open({ enginePort: engine.address().port, lost: (why) => console.error(why) });
  const answered = await peer.answer(browser.localDescription?.sdp ?? "", ["PCMA"]);
  if ("refused" in answered) throw new Error(answered.refused);
  await browser.setRemoteDescription({ type: "answer", sdp: answered.sdp });
  while (browser.connectionState !== "connected") await pause(realClock, 5);
  return { peer, browser, engine, port: answered.agreed.remote.port, setUpMs: performance.now() - began };
}

async function talk(say: (sequence: number, call: Call) => void): Promise<number> {
  const began = performance.now();
  const packets = (SECONDS * 1_000) / PACKET_MS;
  for (let sequence = 0; sequence < packets; sequence++) {
    for (const call of calls) say(sequence, call);
    await pause(realClock, Math.max(0, began + (sequence + 1) * PACKET_MS - performance.now()));
  }
  return packets * CALLS;
}

function speak({ browser, engine, port }: Call, sequenceNumber: number): void {
  const timestamp = sequenceNumber * 160;
  const header = new RtpHeader({ payloadType: 8, sequenceNumber, timestamp, ssrc: 7 });
  void browser.dtlsTransports[0]?.sendRtp(VOICE, header);
  engine.send(plain(sequenceNumber), port, HOST);
}

function plain(sequence: number): Buffer {
  const packet = Buffer.alloc(12 + VOICE.length, VOICE);
  packet.writeUInt16BE(0x80_08, 0);
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(sequence * 160, 4);
  packet.writeUInt32BE(9, 8);
  return packet;
}

/** Receives and sends on what the gateway would, without WebRTC; the speakers' own share is taken off. */
async function bareRelay(): Promise<number> {
  const [relay, far] = [createSocket("udp4"), createSocket("udp4")];
  relay.bind(0, HOST);
  far.bind(0, HOST);
  await Promise.all([once(relay, "listening"), once(far, "listening")]);
  const [port, farPort] = [relay.address().port, far.address().port];
  const spent = async (to: number) => {
    const began = process.cpuUsage();
    await talk((sequence) => {
      for (const packet of [plain(sequence), plain(sequence)]) far.send(packet, to, HOST);
    });
    const { user, system } = process.cpuUsage(began);
    return ((user + system) / 1e6 / SECONDS) * 100;
  };
  relay.on("message", (packet) => relay.send(packet, farPort, HOST));
  const both = await spent(port);
  relay.close();
  const speakers = await spent(farPort);
  far.close();
  return Math.max(0.01, both - speakers);
}

function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}
