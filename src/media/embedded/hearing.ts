// What one party says, as PCM: packets in as they come, one even 20 ms frame out at every tick.

import { type Codec, type Decode, LONGEST_FRAME, type PcmRate } from "../../codecs/shape.ts";
import { openRateChange, type RateChange } from "../resample-library.ts";
import { Concealer } from "./conceal.ts";
import { JitterBuffer } from "./jitter.ts";

const decoded = new Int16Array(LONGEST_FRAME);
/** The part of it that a packet of 20 ms fills, as nearly every packet does: a view made for each would be garbage. */
const decodedFrame: Record<PcmRate, Int16Array> = { 8000: decoded.subarray(0, 160), 16000: decoded.subarray(0, 320) };
/** G.711 and G.722 up to 60 ms; a larger Opus packet is rarer than the memory is dear. */
const SLOT_BYTES = 480;

export class Hearing {
  readonly codec: Codec;
  readonly #jitter = new JitterBuffer(SLOT_BYTES);
  #rate: PcmRate;
  #decode: Decode;
  #concealer: Concealer;
  #frame: Int16Array;
  #other: { change: RateChange; frame: Int16Array; fresh: boolean } | undefined;
  /** Samples decoded and not yet given out: packets need not be 20 ms long. */
  readonly #waiting: Int16Array;
  /** The first of them, as many as make a frame. */
  #nextFrame: Int16Array;
  #waitingCount = 0;
  concealed = 0;
  /** Whether the frame at hand holds anything that was said. */
  isSpeaking = false;

  /** `rate`: one of the codec's own. */
  constructor(codec: Codec, rate: PcmRate = codec.pcmRate) {
    this.codec = codec;
    this.#rate = rate;
    this.#decode = codec.openDecoder(undefined, rate);
    this.#concealer = new Concealer(rate);
    this.#frame = new Int16Array(rate / 50);
    this.#waiting = new Int16Array(codec.pcmRate / 50 + LONGEST_FRAME);
    this.#nextFrame = this.#waiting.subarray(0, rate / 50);
  }

  get rate(): PcmRate {
    return this.#rate;
  }

  /** Somebody else listens from now on. What waits to be decoded is decoded at the new rate. */
  useRate(rate: PcmRate): void {
    if (rate === this.#rate) return;
    const decode = this.codec.openDecoder(undefined, rate); // first: it may fail, and what is closed is closed once
    this.close();
    this.#rate = rate;
    this.#decode = decode;
    this.#concealer = new Concealer(rate);
    this.#frame = new Int16Array(rate / 50);
    this.#nextFrame = this.#waiting.subarray(0, rate / 50);
    this.#waitingCount = 0;
  }

  /** Packets that came and may go now without leaving nothing for the next tick: of so many ticks that were missed. */
  stockFor(ticks: number): number {
    const stock = Math.min(ticks, this.#jitter.inStock);
    this.#jitter.owe(stock);
    return stock;
  }

  put(number: number, packet: Uint8Array, from: number, to: number): void {
    this.#jitter.put(number, packet, from, to);
  }

  close(): void {
    this.#decode.close?.();
    this.#other?.change.close?.();
    this.#other = undefined;
  }

  /** The sender started anew. */
  restart(): void {
    this.#jitter.reset();
  }

  /** Once a tick. */
  advance(): void {
    if (this.#other) this.#other.fresh = false;
    const frame = this.#frame;
    while (this.#waitingCount < frame.length && this.#decodeNext());
    if (this.#waitingCount < frame.length) this.#goWithout();
    else this.#giveOut(frame);
  }

  #giveOut(frame: Int16Array): void {
    frame.set(this.#nextFrame);
    this.#waitingCount -= frame.length;
    if (this.#waitingCount > 0) this.#waiting.copyWithin(0, frame.length, frame.length + this.#waitingCount);
    this.isSpeaking = true;
  }

  /** The tick's frame at the rate that is wanted. */
  frameAt(rate: PcmRate): Int16Array {
    if (rate === this.#rate) return this.#frame;
    this.#other ??= {
      change: openRateChange(this.#rate, rate),
      frame: new Int16Array(rate / 50),
      fresh: false,
    };
    if (!this.#other.fresh) this.#other.change.process(this.#frame, this.#other.frame);
    this.#other.fresh = true;
    return this.#other.frame;
  }

  /** What it asks us to send in, for codecs that have several rates. */
  asks(): number | undefined {
    return this.#decode.asks?.();
  }

  /** A muted party keeps its place in time. */
  silence(): void {
    this.#frame.fill(0);
    this.isSpeaking = false;
  }

  #decodeNext(): boolean {
    const taken = this.#jitter.take();
    if (taken.is === "empty") return false;
    if (taken.is === "missing") return this.#invent();
    const from = this.#jitter.startOf(taken.slot);
    const to = this.#jitter.endOf(taken.slot);
    const count = from === to ? this.#keepQuiet() : this.#decode(this.#jitter.bytes, from, to, decoded);
    if (count === 0) return this.#invent();
    const samples = count === this.#frame.length ? decodedFrame[this.#rate] : decoded.subarray(0, count);
    this.#concealer.heard(samples);
    this.#waiting.set(samples, this.#waitingCount);
    this.#waitingCount += count;
    return true;
  }

  /** A key was being pressed instead of sound. */
  #keepQuiet(): number {
    decoded.fill(0, 0, this.#frame.length);
    return this.#frame.length;
  }

  /** A packet known to be lost stands for a frame's worth of sound. */
  #invent(): boolean {
    const gap = this.#waiting.subarray(this.#waitingCount, this.#waitingCount + this.#frame.length);
    if (this.#decode.conceal) this.#guess(this.#decode, gap);
    else this.#concealer.conceal(gap);
    this.#waitingCount += this.#frame.length;
    this.concealed += 1;
    return true;
  }

  /** The codec knows best how its voice would have gone on. */
  #guess(decode: Decode, gap: Int16Array): void {
    decode.conceal?.(gap);
    this.#concealer.heard(gap);
  }

  /** Nothing came in time: it may still come, so nothing is counted as lost. */
  #goWithout(): void {
    this.isSpeaking = this.#concealer.conceal(this.#frame);
    if (this.isSpeaking) this.concealed += 1;
  }
}
