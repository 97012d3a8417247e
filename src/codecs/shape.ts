// The shape of a codec: frames in, samples out, and back. Buffers are the caller's, so that nothing is allocated per packet.

import type { Law } from "./g711.ts";

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

/** Everything there is to know about a codec: what descriptions say of it, and what codes it. */
export type Codec = {
  name: string;
  /** Fixed by RFC 3551, or the dynamic one we choose when offering. */
  payloadType: number;
  /** RTP timestamp units a second, which for G.722 is famously not its sampling rate (RFC 3551 section 4.5.2). */
  clockRate: number;
  rtpmap: string;
  fmtp?: string;
  /** Samples a second on our side. */
  pcmRate: PcmRate;
  openDecoder(): Decode;
  openEncoder(): Encode;
};

/** G.711: a byte a sample, by one of its two laws. */
export type LawCodec = Codec & { law: Law };

/** The longest packet a codec may decode to: 120 ms at 16 kHz. */
export const LONGEST_FRAME = 1920;
