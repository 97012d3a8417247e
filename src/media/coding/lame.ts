// MP3 by libmp3lame, in our own process: it is given samples and lengths of ours only, never a file of a stranger.

import { bind, type Handle, isInstalled } from "../../codecs/native.ts";

type Lame = {
  lame_init(): Handle | null;
  lame_set_in_samplerate(lame: Handle, rate: number): number;
  lame_set_out_samplerate(lame: Handle, rate: number): number;
  lame_set_num_channels(lame: Handle, channels: number): number;
  lame_set_mode(lame: Handle, mode: number): number;
  lame_set_brate(lame: Handle, kilobits: number): number;
  lame_set_quality(lame: Handle, quality: number): number;
  lame_set_lowpassfreq(lame: Handle, hertz: number): number;
  lame_set_scale(lame: Handle, factor: number): number;
  lame_set_bWriteVbrTag(lame: Handle, wanted: number): number;
  lame_init_params(lame: Handle): number;
  lame_encode_buffer(
    lame: Handle,
    left: Int16Array,
    right: null,
    frames: number,
    into: Uint8Array,
    room: number,
  ): number;
  lame_encode_buffer_interleaved(lame: Handle, pcm: Int16Array, frames: number, into: Uint8Array, room: number): number;
  lame_encode_flush(lame: Handle, into: Uint8Array, room: number): number;
  lame_get_lametag_frame(lame: Handle, into: Uint8Array, room: number): number;
  lame_close(lame: Handle): number;
};

const signatures: Record<keyof Lame, string> = {
  lame_init: "void *lame_init()",
  lame_set_in_samplerate: "int lame_set_in_samplerate(void *, int)",
  lame_set_out_samplerate: "int lame_set_out_samplerate(void *, int)",
  lame_set_num_channels: "int lame_set_num_channels(void *, int)",
  lame_set_mode: "int lame_set_mode(void *, int)",
  lame_set_brate: "int lame_set_brate(void *, int)",
  lame_set_quality: "int lame_set_quality(void *, int)",
  lame_set_lowpassfreq: "int lame_set_lowpassfreq(void *, int)",
  lame_set_scale: "int lame_set_scale(void *, float)",
  lame_set_bWriteVbrTag: "int lame_set_bWriteVbrTag(void *, int)",
  lame_init_params: "int lame_init_params(void *)",
  lame_encode_buffer: "int lame_encode_buffer(void *, void *, void *, int, void *, int)",
  lame_encode_buffer_interleaved: "int lame_encode_buffer_interleaved(void *, void *, int, void *, int)",
  lame_encode_flush: "int lame_encode_flush(void *, void *, int)",
  lame_get_lametag_frame: "long lame_get_lametag_frame(void *, void *, long)",
  lame_close: "int lame_close(void *)",
};

const LAME = { library: "libmp3lame.so.0", package: "libmp3lame0" } as const;
export const hasLame = (): boolean => isInstalled(LAME);

/** Players that know no 8 kHz MP3 exist. */
export const STORED_RATE = 16_000;
const KILOBITS = 48;
const STEREO = 0; // each side for itself, nothing of one heard in the other
const MONO = 3;
/** No noise shaping: nearer to the sound by 2 dB than what shapes it, and at half the work. */
const QUALITY = 7;

export type Mp3Shape = {
  channels: 1 | 2;
  /**
   * The rate of the sound itself. At half of ours every second frame is to be zero: that is the sound with its mirror
   * image above it, at half the strength, and the low-pass that the coder applies to its spectrum anyway cuts the image.
   */
  rate: 8_000 | 16_000;
};

/** Once a thread: to bind them takes as long as to code a second. */
let lame: Lame | undefined;
function bound(): Lame {
  lame ??= bind<Lame>(LAME.library, signatures);
  return lame;
}

/** Room for the worst that so many frames may become, by the library's own rule. */
export const roomFor = (frames: number): number => Math.ceil(1.25 * frames) + 7_200;

/** One MP3 file in the making. Whoever opens it closes it. */
export class Mp3 {
  readonly #lame = bound();
  readonly #handle: Handle;
  readonly #channels: 1 | 2;

  constructor({ channels, rate }: Mp3Shape) {
    const lame = this.#lame;
    const handle = lame.lame_init();
    if (!handle) throw new Error("libmp3lame has no memory");
    this.#handle = handle;
    this.#channels = channels;
    lame.lame_set_in_samplerate(handle, STORED_RATE);
    lame.lame_set_out_samplerate(handle, STORED_RATE);
    lame.lame_set_num_channels(handle, channels);
    lame.lame_set_mode(handle, channels === 2 ? STEREO : MONO);
    lame.lame_set_brate(handle, KILOBITS);
    lame.lame_set_quality(handle, QUALITY);
    if (rate < STORED_RATE) {
      lame.lame_set_lowpassfreq(handle, rate / 2);
      lame.lame_set_scale(handle, STORED_RATE / rate);
    }
    lame.lame_set_bWriteVbrTag(handle, 1);
    const begun = lame.lame_init_params(handle);
    if (begun < 0) {
      this.close();
      throw new Error(`libmp3lame refuses its settings: ${begun}`);
    }
  }

  /** Interleaved samples; returns how many octets there are in `into`. */
  add(pcm: Int16Array, frames: number, into: Uint8Array): number {
    if (pcm.length < frames * this.#channels || into.length < roomFor(frames)) throw new Error("too little room");
    const lame = this.#lame;
    const made =
      this.#channels === 2
        ? lame.lame_encode_buffer_interleaved(this.#handle, pcm, frames, into, into.length)
        : lame.lame_encode_buffer(this.#handle, pcm, null, frames, into, into.length);
    if (made < 0) throw new Error(`libmp3lame does not code: ${made}`);
    return made;
  }

  end(into: Uint8Array): number {
    const made = this.#lame.lame_encode_flush(this.#handle, into, into.length);
    if (made < 0) throw new Error(`libmp3lame does not end: ${made}`);
    return made;
  }

  /** What takes the place of the first frame, at the end: how many frames there are, and how much of them is no sound. */
  tag(into: Uint8Array): number {
    const made = this.#lame.lame_get_lametag_frame(this.#handle, into, into.length);
    return made > 0 && made <= into.length ? made : 0;
  }

  close(): void {
    this.#lame.lame_close(this.#handle);
  }
}
