// The shape of a codec: frames in, samples out, and back. Buffers are the caller's, so that nothing is allocated per packet.

import type { Law } from "./g711.ts";

export type PcmRate = 8000 | 16000;

/** Writes samples to `into` and returns how many; 0 when the frame is broken. */
export type Decode = {
  (packet: Uint8Array, from: number, to: number, into: Int16Array): number;
  /** 20 ms in place of a lost packet, by a codec that guesses better than we do. */
  conceal?(into: Int16Array): void;
  /** The rate that the other side last asked us to send in, in the codec's own numbers. */
  asks?(): number | undefined;
  /** Only for codecs that hold memory the garbage collector does not see. */
  close?(): void;
};

/** Writes 20 ms of samples to `into` at `at` and returns the number of bytes; 0 when there is nothing to send. */
export type Encode = {
  (pcm: Int16Array, into: Uint8Array, at: number): number;
  /** What the other side asks for; see `asks`. */
  heed?(asked: number): void;
  close?(): void;
};

/** A library of somebody else's, which need not be there. */
export type Needed = {
  library: string;
  /** Debian's name for what holds it. */
  package: string;
  /** Its licence (GPL) asks that it runs in a process of its own: it is never loaded into ours. */
  apart?: true;
};

/** One way to write a codec's payload: its number in our offers, and what is said of it. */
export type Form = { payloadType: number; fmtp?: string };

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
  /** It codes at this rate as well, for less than coding and resampling take. */
  otherRate?: PcmRate;
  /** It is spoken only where these are installed. */
  needs?: readonly Needed[];
  /** Offered besides the one above, to those who can only read this. */
  otherForm?: Form;
  /** For codecs whose parameters matter: what we say to theirs, which is also the form; undefined when we cannot speak it. */
  agree?(theirs: string): string | undefined;
  /** `form`: what `agree` said, "" or nothing for the codec's own. `rate`: one of its own two, `pcmRate` if nothing is said. */
  openDecoder(form?: string, rate?: PcmRate): Decode;
  openEncoder(form?: string, rate?: PcmRate): Encode;
};

/** G.711: a byte a sample, by one of its two laws. */
export type LawCodec = Codec & { law: Law };

/** The longest packet a codec may decode to: 120 ms at 16 kHz. */
export const LONGEST_FRAME = 1920;
