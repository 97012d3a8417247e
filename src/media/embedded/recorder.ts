// Recording: whole calls in stereo and single parties, gathered at every tick and handed to the disk in pieces.

import type { PcmRate } from "../../codecs/shape.ts";
import type { RecordEnd } from "../engine.ts";
import { Resampler } from "../resample.ts";
import type { ToDisk } from "./disk.ts";
import type { Hearing } from "./hearing.ts";

/** Two pieces a second: what a crash may cost. */
const PIECES_A_SECOND = 2;
/** Mean square of about -45 dBm0: below it nobody is speaking. */
const QUIET_MEAN_SQUARE = 8000;

export type ToDiskPort = { postMessage(message: ToDisk, transfer: ArrayBuffer[]): void };

/** Interleaves channels and posts full pieces. */
class Pieces {
  readonly #recording: number;
  readonly #port: ToDiskPort;
  readonly #length: number;
  #piece: Int16Array;
  #place = 0;

  constructor(recording: number, port: ToDiskPort, samplesPerSecond: number) {
    this.#recording = recording;
    this.#port = port;
    this.#length = samplesPerSecond / PIECES_A_SECOND;
    this.#piece = new Int16Array(this.#length);
  }

  addMono(frame: Int16Array): void {
    this.#piece.set(frame, this.#place);
    this.#advance(frame.length);
  }

  addStereo(left: Int16Array | undefined, right: Int16Array | undefined, samples: number): void {
    const piece = this.#piece;
    const place = this.#place;
    for (let i = 0; i < samples; i++) {
      piece[place + 2 * i] = left ? left[i]! : 0;
      piece[place + 2 * i + 1] = right ? right[i]! : 0;
    }
    this.#advance(samples * 2);
  }

  end(ended: string, key?: string): void {
    if (this.#place > 0) this.#post(this.#piece.slice(0, this.#place));
    const message: ToDisk = { is: "end", recording: this.#recording, ended, ...(key === undefined ? {} : { key }) };
    this.#port.postMessage(message, []);
  }

  /** A piece is a whole number of frames, so it fills exactly. */
  #advance(samples: number): void {
    this.#place += samples;
    if (this.#place < this.#length) return;
    this.#post(this.#piece);
    this.#piece = new Int16Array(this.#length);
    this.#place = 0;
  }

  #post(samples: Int16Array): void {
    const buffer = samples.buffer as ArrayBuffer; // made above, never shared
    this.#port.postMessage({ is: "samples", recording: this.#recording, samples }, [buffer]);
  }
}

const everybody = () => true;

export class CallRecorder<Party extends { readonly hearing: Hearing | undefined }> {
  readonly recording: number;
  readonly rate: PcmRate;
  readonly path: string;
  /** In the machine's time, also when that was in an earlier process. */
  readonly begunMs: number;
  left: Party | undefined;
  right: Party | undefined;
  /** What is played to the left party, when it has no right one. */
  readonly #played: Int16Array;
  #hasPlayed = false;
  #resampler: Resampler | undefined;
  readonly #pieces: Pieces;

  constructor(
    { recording, rate, path, begunMs }: { recording: number; rate: PcmRate; path: string; begunMs: number },
    port: ToDiskPort,
  ) {
    this.recording = recording;
    this.rate = rate;
    this.path = path;
    this.begunMs = begunMs;
    this.#played = new Int16Array(rate / 50);
    this.#pieces = new Pieces(recording, port, rate * 2);
  }

  /** `isHeard`: of whom there is a new frame. */
  tick(isHeard: (party: Party) => boolean = everybody): void {
    const left = this.left && isHeard(this.left) ? this.left.hearing?.frameAt(this.rate) : undefined;
    this.#pieces.addStereo(left, this.#rightFrame(isHeard), this.rate / 50);
    this.#hasPlayed = false;
  }

  #rightFrame(isHeard: (party: Party) => boolean): Int16Array | undefined {
    if (this.right) return isHeard(this.right) ? this.right.hearing?.frameAt(this.rate) : undefined;
    return this.#hasPlayed ? this.#played : undefined;
  }

  keepPlayed(frame: Int16Array, rate: PcmRate): void {
    this.#hasPlayed = true;
    if (rate === this.rate) {
      this.#played.set(frame);
      return;
    }
    this.#resampler ??= new Resampler(rate, this.rate);
    this.#resampler.process(frame, this.#played);
  }

  end(): void {
    this.#pieces.end("stopped");
  }
}

export class PartyRecorder {
  readonly stopKeys: string;
  readonly #rate: PcmRate;
  readonly #pieces: Pieces;
  readonly #mostFrames: number;
  readonly #quietFramesAllowed: number;
  #frames = 0;
  #quietFrames = 0;

  constructor(made: {
    recording: number;
    rate: PcmRate;
    port: ToDiskPort;
    maxMs: number;
    silenceMs: number | undefined;
    stopKeys: string;
  }) {
    this.#rate = made.rate;
    this.stopKeys = made.stopKeys;
    this.#mostFrames = Math.max(1, Math.round(made.maxMs / 20));
    this.#quietFramesAllowed = made.silenceMs === undefined ? Number.POSITIVE_INFINITY : made.silenceMs / 20;
    this.#pieces = new Pieces(made.recording, made.port, made.rate);
  }

  /** Says why it must end now, if it must. */
  tick(hearing: Hearing): RecordEnd["ended"] | undefined {
    const heard = hearing.frameAt(this.#rate);
    this.#pieces.addMono(heard);
    this.#quietFrames = isQuiet(heard) ? this.#quietFrames + 1 : 0;
    if (++this.#frames >= this.#mostFrames) return "max";
    return this.#quietFrames >= this.#quietFramesAllowed ? "silence" : undefined;
  }

  end(ended: RecordEnd["ended"], key?: string): void {
    this.#pieces.end(ended, key);
  }
}

function isQuiet(frame: Int16Array): boolean {
  let energy = 0;
  for (let i = 0; i < frame.length; i++) energy += frame[i]! * frame[i]!;
  return energy < QUIET_MEAN_SQUARE * frame.length;
}
