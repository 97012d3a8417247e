// A telephone made of one UDP socket for tests: it says a tone, keeps what it hears, and finds tones in it.

import { randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { familyOf } from "../../src/addresses.ts";
import { codecs } from "../../src/codecs/codec.ts";
import { EventReader, eventOf, writeEvent } from "../../src/codecs/telephone-event.ts";
import { Session } from "../../src/media/embedded/srtp.ts";
import { nodeCrypto } from "../../src/media/embedded/srtp-crypto.ts";
import type { CodecName, StreamSettings } from "../../src/media/engine.ts";
import type { SrtpKeys } from "../../src/sdp/agreed.ts";
import type { PhoneCipher } from "./libsrtp.ts";
import { loudestTone, toneLevel } from "./tone-level.ts";

export type PhoneOptions = {
  codec?: CodecName;
  /** What it says, in Hz; 0 is silence. */
  says?: number;
  payloadType?: number;
  /** Payload type of RFC 4733 events; undefined when the phone does not know them. */
  events?: number;
  address?: string;
  /** Seeded loss and reordering of what it sends. */
  loses?: (packet: number) => boolean;
  reorders?: boolean;
  srtp?: SrtpKeys;
  /** What it encrypts with, when that is not our own code. */
  cipher?: (keys: SrtpKeys) => PhoneCipher;
};

/** A tone of this level is there. */
const PLAINLY = 0.12;
/** However long a busy machine takes. */
const LISTENS_MS = 60_000;

export class RtpPhone {
  readonly #socket: Socket;
  readonly #options: PhoneOptions;
  readonly #codec;
  readonly #encode;
  readonly #decode;
  readonly #frame: Int16Array;
  readonly #heardFrames: Int16Array[] = [];
  readonly #events = new EventReader();
  readonly #srtp: PhoneCipher | undefined;
  readonly #ssrc = randomBytes(4).readUInt32BE();
  #to: { address: string; port: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sequence = 65_500;
  #timestamp = 0xffff_f000;
  #sample = 0;
  #sent = 0;
  #held: Buffer | undefined;
  #startedAt = 0;
  says: number;
  #echoes: Int16Array[] | undefined;
  /** Keys it was sent, in order. */
  keys = "";
  /** The longest time without a packet since it listened anew, and when the last one came; zero for none. */
  longestGapMs = 0;
  lastAtMs = 0;
  received: { sequence: number; timestamp: number; ssrc: number; payloadType: number; marker: boolean }[] = [];

  private constructor(socket: Socket, options: PhoneOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#codec = codecs[options.codec ?? "PCMA"];
    this.#encode = this.#codec.openEncoder();
    this.#decode = this.#codec.openDecoder();
    this.#frame = new Int16Array(this.#codec.pcmRate / 50);
    const { srtp, cipher = (keys) => new Session(keys, nodeCrypto) } = options;
    this.#srtp = srtp && cipher(srtp);
    this.says = options.says ?? 0;
    socket.on("message", (message) => this.#hear(message));
    socket.on("error", () => {});
  }

  static async open(options: PhoneOptions = {}): Promise<RtpPhone> {
    const { address = "127.0.0.1" } = options;
    const socket = createSocket(familyOf(address) === 6 ? "udp6" : "udp4");
    socket.bind(0, address);
    await once(socket, "listening");
    return new RtpPhone(socket, options);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get address(): string {
    return this.#socket.address().address;
  }

  /** What the exchange would agree on with this phone. */
  settings(more: Partial<StreamSettings> = {}): StreamSettings {
    const { srtp, events, codec = "PCMA" } = this.#options;
    return {
      codec,
      payloadType: this.#options.payloadType ?? codecs[codec].payloadType,
      ...(events === undefined ? {} : { telephoneEvent: events }),
      remote: { address: this.address, port: this.port },
      direction: "sendrecv",
      ...(srtp ? { srtp: { ...srtp, localKey: srtp.remoteKey, remoteKey: srtp.localKey } } : {}),
      ...more,
    };
  }

  /** Sends its tone to that place every 20 ms, keeping to the clock even on a busy machine. */
  talkTo(to: { address: string; port: number }): void {
    this.#to = to;
    clearInterval(this.#timer);
    this.#startedAt = performance.now();
    let frames = 0;
    const send = () => {
      for (; frames * 20 <= performance.now() - this.#startedAt; frames++) this.#sendTone();
    };
    send();
    this.#timer = setInterval(send, 10);
  }

  /** Says back what it hears, instead of its tone. */
  echo(on: boolean): void {
    this.#echoes = on ? [] : undefined;
  }

  hush(): void {
    clearInterval(this.#timer);
  }

  /** Presses keys by RFC 4733, 100 ms each. */
  async press(keys: string): Promise<void> {
    const units = this.#codec.clockRate / 50;
    for (const key of keys) {
      this.hush();
      const timestamp = this.#timestamp;
      for (let i = 1; i <= 8; i++) {
        const durationUnits = Math.min(i, 5) * units;
        const payload = Buffer.alloc(4);
        writeEvent(payload, 0, { event: eventOf(key), durationUnits, isEnd: i > 5 });
        this.#send(this.#options.events ?? 101, timestamp, payload, i === 1);
        await passing(10);
      }
      this.#timestamp = (this.#timestamp + 5 * units) >>> 0;
      if (this.#to) this.talkTo(this.#to);
      await passing(40);
    }
  }

  /** Forgets what it heard; what comes from now on is listened to. */
  listenAnew(): void {
    this.#heardFrames.length = 0;
    this.received.length = 0;
    this.longestGapMs = 0;
  }

  /** Forgets so many samples of the beginning, and the rest of the frame in which they end. */
  forget(samples: number): void {
    for (let left = samples; left > 0 && this.#heardFrames.length > 0; ) left -= this.#heardFrames.shift()!.length; // there is one
  }

  heardSamples(): Int16Array {
    const all = new Int16Array(this.#heardFrames.reduce((sum, frame) => sum + frame.length, 0));
    let at = 0;
    for (const frame of this.#heardFrames) {
      all.set(frame, at);
      at += frame.length;
    }
    return all;
  }

  /** Level of that tone in what was heard, 0 to 1 of full scale. */
  hears(hz: number): number {
    return toneLevel(this.heardSamples(), hz, this.#codec.pcmRate);
  }

  /** Waits until enough frames were heard, and forgets all before. */
  async listen(ms: number): Promise<void> {
    this.listenAnew();
    await this.heardFor(ms);
  }

  /** Waits until enough frames were heard since it listened anew. */
  async heardFor(ms: number): Promise<void> {
    const enough = (ms / 1000) * this.#codec.pcmRate;
    const until = performance.now() + ms + 3000;
    let heard = 0;
    while (heard < enough && performance.now() < until) {
      await passing(20);
      heard = this.#heardFrames.reduce((sum, frame) => sum + frame.length, 0);
    }
  }

  /**
   * Waits until a fifth of a second of what was heard since it listened anew holds the tone, and says how loud it is. Not the
   * last one: a listener who was asleep for a while has already heard what came after it.
   */
  async soonHears(hz: number): Promise<number> {
    for (const until = performance.now() + LISTENS_MS; ; await passing(20)) {
      const level = loudestTone(this.heardSamples(), hz, this.#codec.pcmRate);
      if (level > PLAINLY || performance.now() > until) return level;
    }
  }

  /** Waits until the last fifth of a second no longer holds it. */
  async soonHearsNoMore(hz: number): Promise<number> {
    this.listenAnew();
    const enough = this.#codec.pcmRate / 5;
    const until = performance.now() + LISTENS_MS;
    for (;;) {
      const last = this.heardSamples().subarray(-enough);
      const level = toneLevel(last, hz, this.#codec.pcmRate);
      if ((last.length === enough && level < 0.01) || performance.now() > until) return level;
      await passing(20);
    }
  }

  sendRaw(bytes: Uint8Array, to: { address: string; port: number }): void {
    this.#socket.send(bytes, to.port, to.address);
  }

  hangUp(): void {
    this.hush();
    this.#socket.close();
    this.#srtp?.close();
  }

  #sendTone(): void {
    const { pcmRate, clockRate } = this.#codec;
    for (let i = 0; i < this.#frame.length; i++)
      this.#frame[i] = this.says === 0 ? 0 : 8000 * Math.sin((2 * Math.PI * this.says * this.#sample++) / pcmRate);
    if (this.#echoes) this.#frame.set(this.#echoes.shift()?.subarray(0, this.#frame.length) ?? new Int16Array(0));
    const payload = Buffer.alloc(1300);
    const bytes = this.#encode(this.#frame, payload, 0);
    this.#send(
      this.#options.payloadType ?? this.#codec.payloadType,
      this.#timestamp,
      payload.subarray(0, bytes),
      false,
    );
    this.#timestamp = (this.#timestamp + clockRate / 50) >>> 0;
  }

  #send(payloadType: number, timestamp: number, payload: Buffer, marker: boolean): void {
    const packet = Buffer.alloc(12 + payload.length + 16);
    packet[0] = 0x80;
    packet[1] = payloadType | (marker ? 0x80 : 0);
    packet.writeUInt16BE(this.#sequence, 2);
    packet.writeUInt32BE(timestamp, 4);
    packet.writeUInt32BE(this.#ssrc, 8);
    payload.copy(packet, 12);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    const size = this.#srtp ? this.#srtp.protect(packet, 12 + payload.length) : 12 + payload.length;
    if (this.#to && !this.#options.loses?.(this.#sent++)) this.#sendInSomeOrder(packet.subarray(0, size));
  }

  /** Every fourth packet waits for the one after it. */
  #sendInSomeOrder(packet: Buffer): void {
    const to = this.#to!; // the caller looked
    if (this.#options.reorders && this.#sequence % 4 === 0 && !this.#held) {
      this.#held = packet;
      return;
    }
    this.#socket.send(packet, to.port, to.address);
    if (this.#held) this.#socket.send(this.#held, to.port, to.address);
    this.#held = undefined;
  }

  #hear(message: Buffer): void {
    const packet = Buffer.from(message);
    const length = this.#srtp ? this.#srtp.unprotect(packet, packet.length) : packet.length;
    if (length < 12) return;
    const payloadType = packet[1]! & 0x7f;
    const timestamp = packet.readUInt32BE(4);
    const ssrc = packet.readUInt32BE(8);
    const nowMs = performance.now();
    if (this.lastAtMs > 0) this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.lastAtMs);
    this.lastAtMs = nowMs;
    this.received.push({ sequence: packet.readUInt16BE(2), timestamp, ssrc, payloadType, marker: packet[1]! > 127 });
    if (payloadType === this.#options.events) {
      const heard = this.#events.read(timestamp, packet, 12);
      if (heard.is === "ended" || heard.is === "ended-and-began") this.keys += heard.key;
      return;
    }
    const samples = new Int16Array(1920);
    const frame = samples.subarray(0, this.#decode(packet, 12, length, samples));
    this.#heardFrames.push(frame);
    this.#echoes?.push(frame);
  }
}

export function passing(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
