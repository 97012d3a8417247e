// The gateway's process with a browser before it, played by the same library, and an engine behind it, played by a socket.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type MediaDirection, type RTCPeerConnection, RtpHeader, type RtpPacket } from "werift";
import { freePorts } from "../../../test/ground/free-ports.ts";
import { BROWSERS_DIGITS, openLibraryBrowser } from "../../../test/phones/library-browser.ts";
import { pause, realClock } from "../../clock.ts";
import { silentLog } from "../../log.ts";
import { type GatewayDrill, openWebGateway, type WebPeer } from "./gateway.ts";

vi.setConfig({ testTimeout: 240_000 });

const HOST = "127.0.0.1";
const A_LAW = 8;
const INSIDE_DIGITS = 101;
const NOTHING_OF_OURS = 112;
/** Of 25 ms each: a minute. */
const MOST_TRIES = 2_400;

let gateway: GatewayDrill;
let engine: Socket;
let enginePort: number;
const browsers: RTCPeerConnection[] = [];

beforeAll(async () => {
  const from = await freePorts(8);
  gateway = openWebGateway({
    clock: realClock,
    log: silentLog,
    processPath: "dist/webrtc-gateway.js",
    settings: { bind: [HOST], reachableAt: [HOST], ports: { from, to: from + 7 }, inside: HOST, mostPeers: 2 },
  });
});

beforeEach(async () => {
  engine = createSocket("udp4");
  engine.bind(0, HOST);
  await once(engine, "listening");
  enginePort = engine.address().port;
});

afterEach(async () => {
  engine.close();
  await Promise.all(browsers.splice(0).map((browser) => browser.close()));
});

afterAll(() => gateway.stop());

test("a browser that calls is answered in one codec, and voice and digits pass both ways", async () => {
  const lost: string[] = [];
  const peer = gateway.open({ enginePort, lost: (why) => lost.push(why) });
  const browser = openBrowser();
  const track = browser.addTransceiver("audio", { direction: "sendrecv" });
  await browser.setLocalDescription(await browser.createOffer());
  const answered = await peer.answer(browser.localDescription?.sdp ?? "", ["G722", "PCMA"]);
  if ("refused" in answered) throw new Error(answered.refused);
  expect(answered.agreed).toMatchObject({
    codec: "PCMA",
    payloadType: A_LAW,
    telephoneEvent: INSIDE_DIGITS,
    direction: "sendrecv",
    rtcpMux: true,
    remote: { address: HOST },
  });
  expect(answered.sdp).toMatch(/m=audio \d+ UDP\/TLS\/RTP\/SAVPF 8 126\r\n/);
  await browser.setRemoteDescription({ type: "answer", sdp: answered.sdp });
  await connected(browser);

  await expectPassage(browser, track.sender.ssrc, answered.agreed.remote.port);
  await peer.close();
  expect(await gateway.peers()).toBe(0);
  expect(lost).toEqual([]);
});

test("a browser that names no address of its own is found by its checks", async () => {
  const peer = gateway.open({ enginePort, lost: () => undefined });
  const browser = openBrowser();
  browser.addTransceiver("audio", { direction: "sendrecv" });
  await browser.setLocalDescription(await browser.createOffer());
  const hidden = (browser.localDescription?.sdp ?? "").replaceAll(HOST, "6b7c3d10.local");
  const answered = await peer.answer(hidden, ["PCMA"]);
  if ("refused" in answered) throw new Error(answered.refused);
  await browser.setRemoteDescription({ type: "answer", sdp: answered.sdp });
  await connected(browser);
  await peer.close();
});

test("a browser that is called gets an offer, and its answer is understood", async () => {
  const peer = gateway.open({ enginePort, lost: () => undefined });
  const browser = openBrowser();
  await browser.setRemoteDescription({ type: "offer", sdp: await peer.offer(["PCMA", "PCMU"]) });
  const [track] = browser.getTransceivers();
  track?.setDirection("sendrecv");
  await browser.setLocalDescription(await browser.createAnswer());
  const understood = await peer.understand(browser.localDescription?.sdp ?? "");
  if ("refused" in understood) throw new Error(understood.refused);
  expect(understood.agreed).toMatchObject({ codec: "PCMA", telephoneEvent: INSIDE_DIGITS, direction: "sendrecv" });
  await connected(browser);
  await expectPassage(browser, track?.sender.ssrc ?? 0, understood.agreed.remote.port, INSIDE_DIGITS);
  await peer.close();
});

test("hold and resume are new directions of the same connection", async () => {
  const peer = gateway.open({ enginePort, lost: () => undefined });
  const browser = openBrowser();
  const track = browser.addTransceiver("audio", { direction: "sendrecv" });
  // This browser cannot fall silent without switching the line off, so its words are changed on the way.
  const renegotiate = async (direction: MediaDirection) => {
    const isSilent = direction === "inactive";
    track.setDirection(isSilent ? "sendonly" : direction);
    await browser.setLocalDescription(await browser.createOffer());
    const offer = (browser.localDescription?.sdp ?? "").replace(
      isSilent ? "a=sendonly" : "",
      isSilent ? "a=inactive" : "",
    );
    const answered = await peer.answer(offer, ["PCMU", "PCMA"]);
    if ("refused" in answered) throw new Error(answered.refused);
    await browser.setRemoteDescription({ type: "answer", sdp: answered.sdp.replace("a=inactive", "a=recvonly") });
    return { ...answered.agreed, said: /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(answered.sdp)?.[1] };
  };
  const first = await renegotiate("sendrecv");
  await connected(browser);
  expect(await renegotiate("sendonly")).toMatchObject({ direction: "recvonly", said: "recvonly", codec: "PCMU" });
  expect(await renegotiate("inactive")).toMatchObject({ direction: "inactive", said: "inactive" });
  expect(await renegotiate("sendrecv")).toMatchObject({
    direction: "sendrecv",
    said: "sendrecv",
    remote: first.remote,
  });
  expect(await gateway.peers()).toBe(1);
  await peer.close();
});

test("what makes no sense is refused, and so is a browser more than may be", async () => {
  const open = () => gateway.open({ enginePort, lost: () => undefined });
  expect(await open().answer("v=0\r\n", ["PCMA"])).toEqual({ refused: "no-common-codec" });
  expect(await gateway.peers()).toBe(0);
  const peers = [open(), open(), open()] as [WebPeer, WebPeer, WebPeer];
  await peers[0].offer(["PCMA"]);
  await peers[1].offer(["PCMA"]);
  await expect(peers[2].offer(["PCMA"])).rejects.toThrow("gateway");
  await Promise.all(peers.map((peer) => peer.close()));
  expect(await gateway.peers()).toBe(0);
});

test("when the process dies its browsers are lost at once, and the next one finds a new process", async () => {
  let lost: (why: string) => void = () => undefined;
  const gone = new Promise<string>((resolve) => {
    lost = resolve;
  });
  await gateway.open({ enginePort, lost }).offer(["PCMA"]);
  const { pid } = { pid: gateway.pid() };
  process.kill(pid ?? 0, "SIGKILL");
  expect(await gone).toBe("the WebRTC gateway died");
  const peer = gateway.open({ enginePort, lost: () => undefined });
  expect(await peer.offer(["PCMA"])).toContain("UDP/TLS/RTP/SAVPF 8 0 101");
  expect(gateway.pid()).not.toBe(pid);
  await peer.close();
});

function openBrowser(): RTCPeerConnection {
  const browser = openLibraryBrowser();
  browsers.push(browser);
  return browser;
}

async function connected(browser: RTCPeerConnection): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES && browser.connectionState !== "connected"; tries++)
    await pause(realClock, 25);
  expect(browser.connectionState).toBe("connected");
}

/** A browser may think it is connected before the gateway does, and what is said until then is lost. */
async function lineIsOpen({ onRtp }: RTCPeerConnection["dtlsTransports"][number], port: number): Promise<void> {
  let isOpen = false;
  const { unSubscribe } = onRtp.subscribe(() => {
    isOpen = true;
  });
  for (let tries = 0; tries < MOST_TRIES && !isOpen; tries++) {
    engine.send(plain(NOTHING_OF_OURS, tries), port, HOST);
    await pause(realClock, 25);
  }
  unSubscribe();
}

/** A packet of voice and one of digits, each way, each with the number its side knows it by; and none twice. */
async function expectPassage(browser: RTCPeerConnection, ssrc: number, port: number, digits = BROWSERS_DIGITS) {
  const [transport] = browser.dtlsTransports;
  if (!transport) throw new Error("the browser has no transport");
  const toEngine: Buffer[] = [];
  const toBrowser: RtpPacket[] = [];
  await lineIsOpen(transport, port);
  engine.on("message", (packet) => toEngine.push(packet));
  transport.onRtp.subscribe((packet) => {
    if (packet.header.payloadType !== NOTHING_OF_OURS) toBrowser.push(packet);
  });
  for (const [sequenceNumber, payloadType] of [A_LAW, digits, 111].entries()) {
    const header = new RtpHeader({ payloadType, sequenceNumber, timestamp: 160, ssrc, marker: true });
    await transport.sendRtp(Buffer.from([1, 2, 3, 4]), header);
    engine.send(plain(payloadType === digits ? INSIDE_DIGITS : payloadType, MOST_TRIES + sequenceNumber), port, HOST);
  }
  for (let tries = 0; tries < MOST_TRIES && (toEngine.length < 2 || toBrowser.length < 3); tries++)
    await pause(realClock, 25);
  expect(toEngine.map((packet) => [(packet[1] ?? 0) & 0x7f, packet.length])).toEqual([
    [A_LAW, 16],
    [INSIDE_DIGITS, 16],
  ]);
  expect(toBrowser.slice(0, 2).map(({ header, payload }) => [header.payloadType, [...payload]])).toEqual([
    [A_LAW, [5, 6, 7]],
    [digits, [5, 6, 7]],
  ]);
}

function plain(payloadType: number, sequence: number): Buffer {
  const packet = Buffer.alloc(15, 0);
  packet[0] = 0x80;
  packet[1] = payloadType;
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(77, 8);
  packet.set([5, 6, 7], 12);
  return packet;
}
