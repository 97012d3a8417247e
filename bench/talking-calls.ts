// Calls through an exchange that begin at a rate, talk both ways for a while, and are hung up by their caller.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { realClock } from "../src/clock.ts";
import { pcma } from "../src/codecs/pcma.ts";
import { dialogAsCallee, dialogAsCaller, nextHopOf, requestInDialog } from "../src/sip/dialog.ts";
import { isMalformed } from "../src/sip/message/malformed.ts";
import { openStack } from "../src/sip/stack.ts";
import { openRandom } from "../src/sip/transport/random.ts";
import type { Destination } from "../src/sip/transport/transport.ts";
import { openUdp } from "../src/sip/transport/udp.ts";
import { inviteFrom, ownHeaders, portIn, sdp } from "./carrier-words.ts";
import type { ExchangeProcess } from "./exchange-process.ts";

export type Talked = { done: number; failed: number; setUpMs: { p50: number; p99: number; worst: number } };

type Talk = { calls: number; rate: number; seconds: number };

const FRAME_MS = 20;
const FRAME = 160;
const HEAD = 12;
const MOST_LATE_MS = 100;
const LONGEST_FRAMES = 20 * 50;

export async function openTalkers(start: (calleePort: number) => Promise<ExchangeProcess>) {
  const transport = await openUdp({ address: "127.0.0.1", port: 0 });
  const random = openRandom();
  const stack = openStack({ clock: realClock, random, transports: [transport] });
  const [callers, callees] = [await openVoices(0), await openVoices(1)];
  const { port } = transport.sentBy;
  stack.onRequest((incoming) => {
    if (incoming.request.method !== "INVITE") return void incoming.reply(200);
    const dialog = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
    if (isMalformed(dialog)) return void incoming.reply(400);
    const far = portIn(incoming.request.body);
    stack.own(dialog, (inside) => {
      if (inside.request.method === "BYE") callees.hush(far);
      if (inside.request.method !== "ACK") inside.reply(200);
    });
    callees.speak(far);
    incoming.reply(200, { headers: ownHeaders(port), body: sdp(callees.port) });
  });
  const exchange = await start(port);
  const server: Destination = { transport: "udp", address: "127.0.0.1", port: exchange.sipPort };
  return {
    exchange,
    talk,
    stop() {
      callers.close();
      callees.close();
      return stack.close();
    },
  };

  async function talk({ calls, rate, seconds }: Talk): Promise<Talked> {
    const begun = performance.now();
    const setUp: number[] = [];
    let failed = 0;
    const all: Promise<void>[] = [];
    for (let call = 0; call < calls; call++) {
      const early = begun + (call * 1_000) / rate - performance.now();
      if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
      all.push(
        talkOnce(seconds).then(
          (ms) => void setUp.push(ms),
          () => void failed++,
        ),
      );
    }
    await Promise.all(all);
    setUp.sort((one, other) => one - other);
    const at = (part: number) => setUp[Math.min(setUp.length - 1, Math.floor(part * setUp.length))] ?? Number.NaN;
    return { done: setUp.length, failed, setUpMs: { p50: at(0.5), p99: at(0.99), worst: at(1) } };
  }

  /** How long it took until somebody answered. */
  function talkOnce(seconds: number): Promise<number> {
    const begun = performance.now();
    const ports = { ownPort: port, exchangePort: exchange.sipPort, voicePort: callers.port };
    const invite = inviteFrom({ random, ...ports });
    return new Promise((resolve, reject) => {
      const outgoing = stack.send(invite, server, (outcome) => {
        if (outcome.is === "provisional") return;
        if (outcome.is !== "success") return reject(new Error("refused"));
        const answeredMs = performance.now() - begun;
        const dialog = dialogAsCaller(invite, outcome.response);
        if (isMalformed(dialog)) return reject(new Error(dialog.malformed));
        stack.own(dialog, (inside) => void inside.reply(200));
        const hop = nextHopOf(dialog);
        const to = typeof hop === "string" ? server : hop;
        outgoing.sendAck(requestInDialog(dialog, "ACK", { cseq: dialog.localCSeq }).request, to);
        const near = portIn(outcome.response.body);
        callers.speak(near);
        setTimeout(() => {
          callers.hush(near);
          stack.send(requestInDialog(dialog, "BYE").request, to, (ended) => {
            if (ended.is === "provisional") return;
            if (ended.is === "success") resolve(answeredMs);
            else reject(new Error("not hung up"));
          });
        }, seconds * 1_000);
      });
    });
  }
}

/** One socket that speaks to many ports, a frame every 20 ms to each. */
async function openVoices(side: 0 | 1) {
  const socket: Socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  socket.on("message", () => undefined);
  const frames = speech(side);
  const spoken = new Map<number, { packet: Buffer; count: number }>();
  let next = performance.now();
  const timer = setInterval(() => {
    // Who comes too late leaves frames out: to make up for them would make it later still.
    next = Math.max(next, performance.now() - MOST_LATE_MS);
    for (; next <= performance.now(); next += FRAME_MS) for (const [port, voice] of spoken) sendTo(port, voice);
  }, FRAME_MS / 2);
  return {
    port: socket.address().port,
    speak(port: number) {
      const packet = Buffer.alloc(HEAD + FRAME);
      packet[0] = 0x80;
      packet[1] = 8;
      packet.writeUInt32BE(port, 8);
      spoken.set(port, { packet, count: 0 });
    },
    hush: (port: number) => void spoken.delete(port),
    close() {
      clearInterval(timer);
      socket.close();
    },
  };

  function sendTo(port: number, voice: { packet: Buffer; count: number }): void {
    if (voice.count > LONGEST_FRAMES) return void spoken.delete(port); // of a call that came to nothing
    voice.packet.writeUInt16BE(voice.count & 0xffff, 2);
    voice.packet.writeUInt32BE(voice.count * FRAME, 4);
    voice.packet.set(frames[voice.count % frames.length]!, HEAD);
    voice.count++;
    socket.send(voice.packet, port, "127.0.0.1");
  }
}

/** Four seconds of something like a voice: harmonics in syllables, and while one side speaks the other hums. */
function speech(side: 0 | 1): Uint8Array[] {
  const encode = pcma.openEncoder();
  const pitch = side === 0 ? 118 : 205;
  let noise = 1 + side;
  return Array.from({ length: 200 }, (_, at) => {
    const isSpeaking = at < 100 === (side === 0);
    const pcm = Int16Array.from({ length: FRAME }, (_, sample) => {
      const t = (at * FRAME + sample) / 8_000;
      noise = (noise * 1_103_515_245 + 12_345) & 0x7fffffff;
      const hiss = (noise / 0x3fffffff - 1) * 60;
      if (!isSpeaking) return hiss;
      const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.7 * t)) ** 0.5;
      const glide = 2 * Math.PI * pitch * (t + 0.02 * Math.sin(2 * Math.PI * 1.3 * t));
      let voice = 0;
      for (let k = 1; k * pitch < 3_400; k++) voice += Math.sin(k * glide) / (1 + Math.abs(k * pitch - 650) / 400);
      return hiss + 3_500 * syllable * voice;
    });
    const frame = new Uint8Array(FRAME);
    encode(pcm, frame, 0);
    return frame;
  });
}
