// The shape of a codec: frames in, samples out, and back. Buffers are the caller's, so that nothing is allocated per packet.

import type { CodecName } from "../../sdp/agreed.ts";

export type PcmRate = 8000 | 16000;

/** Writes samples to `into` and returns how many; 0 when the frame is broken. */
export type Decode = {
  (packet: Uint8Array, from: number, to: number, into: Int16Array): number;
  /** Only for codecs that hold memory the garbage collector does not see. */
  close?(): void;
};

/** Writes 20 ms of samples to `into` at `at` and returns the number of bytes. */
export type Encode = {
  (pcm: Int16Array, into: Uint8Array, at: number): number;
  close?(): void;
};

export type Codec = {
  name: CodecName;
  /** RTP timestamp units a second. */
  clockRate: number;
  /** Samples a second on our side. */
  pcmRate: PcmRate;
  openDecoder(): Decode;
  openEncoder(): Encode;
};

/** The longest packet a codec may decode to: 120 ms at 16 kHz. */
export const LONGEST_FRAME = 1920;
