// What one party says, as PCM: packets in as they come, one even 20 ms frame out at every tick.

import { type Codec, type Decode, LONGEST_FRAME, type PcmRate } from "../../codecs/shape.ts";
import { Resampler } from "../resample.ts";
import { Concealer } from "./conceal.ts";
import { JitterBuffer } from "./jitter.ts";

const decoded = new Int16Array(LONGEST_FRAME);
/** G.711 and G.722 up to 60 ms; a larger Opus packet is rarer than the memory is dear. */
const SLOT_BYTES = 480;

export class Hearing {
  readonly codec: Codec;
  readonly #jitter = new JitterBuffer(SLOT_BYTES);
  readonly #decode: Decode;
  readonly #concealer: Concealer;
  readonly #frame: Int16Array;
  #other: { resampler: Resampler; frame: Int16Array; fresh: boolean } | undefined;
  /** Samples decoded and not yet given out: packets need not be 20 ms long. */
  readonly #waiting: Int16Array;
  #waitingCount = 0;
  concealed = 0;
  /** Whether the frame at hand holds anything that was said. */
  isSpeaking = false;

  constructor(codec: Codec) {
    this.codec = codec;
    this.#decode = codec.openDecoder();
    this.#concealer = new Concealer(codec.pcmRate);
    this.#frame = new Int16Array(codec.pcmRate / 50);
    this.#waiting = new Int16Array(this.#frame.length + LONGEST_FRAME);
  }

  put(number: number, packet: Uint8Array, from: number, to: number): void {
    this.#jitter.put(number, packet, from, to);
  }

  close(): void {
    this.#decode.close?.();
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
    frame.set(this.#waiting.subarray(0, frame.length));
    this.#waiting.copyWithin(0, frame.length, this.#waitingCount);
    this.#waitingCount -= frame.length;
    this.isSpeaking = true;
  }

  /** The tick's frame at the rate that is wanted. */
  frameAt(rate: PcmRate): Int16Array {
    if (rate === this.codec.pcmRate) return this.#frame;
    this.#other ??= {
      resampler: new Resampler(this.codec.pcmRate, rate),
      frame: new Int16Array(rate / 50),
      fresh: false,
    };
    if (!this.#other.fresh) this.#other.resampler.process(this.#frame, this.#other.frame);
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
    const samples = decoded.subarray(0, count);
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
