// Hundreds of voices over one socket, for hours: each says the same tone, and only what comes and what is missing is counted.

import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { codecs } from "../../src/codecs/codec.ts";
import type { PhoneVoice } from "../phones/phone-sdp.ts";

export type Voice = PhoneVoice & {
  sent: number;
  heard: number;
  /** Sequence numbers that were passed over, without those that came late after all. */
  missing: number;
};

const FRAME_MS = 20;
const HEADER = 12;
const TONE_HZ = 450;
/** The kernel holds what comes while we are busy. */
const BUFFER_BYTES = 8 << 20;

export class ManyVoices {
  readonly #socket: Socket;
  readonly #frames: Buffer[];
  /** By the exchange's port, which is another for each. */
  readonly #talking = new Map<number, { voice: Voice; packet: Buffer; source: number; last: number }>();
  readonly #timer: NodeJS.Timeout;
  #begunMs = performance.now();
  #frame = 0;

  static async open(): Promise<ManyVoices> {
    const socket = createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    socket.setRecvBufferSize(BUFFER_BYTES);
    return new ManyVoices(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#frames = toneFrames();
    socket.on("message", (bytes, { port }) => this.#hear(bytes, port));
    this.#timer = setInterval(() => this.#say(), FRAME_MS / 2);
  }

  voice(): Voice {
    let port = 0;
    const voice: Voice = {
      port: this.#socket.address().port,
      ...{ sent: 0, heard: 0, missing: 0 },
      talkTo: (to) => {
        port = to.port;
        const packet = Buffer.alloc(HEADER + this.#frames[0]!.length); // a tone has frames
        packet[0] = 0x80;
        packet[1] = codecs.PCMA.payloadType;
        packet.writeUInt32BE(randomInt(2 ** 32), 8);
        this.#talking.set(port, { voice, packet, source: -1, last: 0 });
      },
      hush: () => {
        if (this.#talking.get(port)?.voice === voice) this.#talking.delete(port);
      },
    };
    return voice;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }

  /** Keeps to the clock; what could not be said in a second of standstill is not said any more. */
  #say(): void {
    const due = Math.floor((performance.now() - this.#begunMs) / FRAME_MS);
    if (due - this.#frame > 50) {
      this.#begunMs += (due - this.#frame) * FRAME_MS;
      return;
    }
    for (; this.#frame < due; this.#frame++)
      for (const [port, { voice, packet }] of this.#talking) {
        packet.writeUInt16BE(voice.sent & 0xffff, 2);
        packet.writeUInt32BE((voice.sent * 160) >>> 0, 4);
        this.#frames[voice.sent % this.#frames.length]!.copy(packet, HEADER); // within its length
        voice.sent += 1;
        this.#socket.send(Buffer.from(packet), port, "127.0.0.1");
      }
  }

  #hear(bytes: Buffer, port: number): void {
    const talking = this.#talking.get(port);
    if (!talking || bytes.length < HEADER) return;
    const [sequence, source] = [bytes.readUInt16BE(2), bytes.readUInt32BE(8)];
    talking.voice.heard += 1;
    // The port may have been another call's, whose last packets still waited in our buffer.
    if (source !== talking.source) {
      Object.assign(talking, { source, last: sequence });
      return;
    }
    const ahead = (sequence - talking.last) & 0xffff;
    if (ahead > 0x8000) talking.voice.missing -= 1;
    else {
      talking.voice.missing += ahead - 1;
      talking.last = sequence;
    }
  }
}

/** A second of it. */
function toneFrames(): Buffer[] {
  const { pcmRate, openEncoder } = codecs.PCMA;
  const encode = openEncoder();
  const length = (pcmRate * FRAME_MS) / 1_000;
  return Array.from({ length: 1_000 / FRAME_MS }, (_, frame) => {
    const pcm = Int16Array.from({ length }, (_, at) =>
      Math.round(8_000 * Math.sin((2 * Math.PI * TONE_HZ * (frame * length + at)) / pcmRate)),
    );
    const payload = Buffer.alloc(length);
    return payload.subarray(0, encode(pcm, payload, 0));
  });
}
