// Opus by the WebAssembly build inside @evan/opus, loaded when first used; decoded to 16 kHz, since nobody behind a
// telephone exchange hears more. Its native build is not used: it ends the whole process when a thread using it ends.

import type { Codec, Decode, Encode } from "./shape.ts";

/** The few calls used here, said in our own words because this part of the package has no types. */
type OpusPackage = {
  Decoder: new (options: { channels: 1; sample_rate: 16000 }) => OpusDecoder;
  Encoder: new (options: { channels: 1; sample_rate: 16000; application: "voip" }) => OpusEncoder;
};
type OpusDecoder = { decode(frame: Uint8Array): Uint8Array; drop(): void };
type OpusEncoder = { encode(pcm: Uint8Array): Uint8Array; ctl(request: number, value: number): number; drop(): void };

// Requests of opus_defines.h.
const SET_BITRATE = 4002;
const SET_COMPLEXITY = 4010;
const SET_INBAND_FEC = 4012;
const SET_PACKET_LOSS = 4014;

const LARGEST_FRAME = 1275; // RFC 6716 section 3.4

let loaded: OpusPackage | undefined;

export const opus = {
  name: "opus",
  payloadType: 107,
  clockRate: 48000,
  rtpmap: "opus/48000/2",
  fmtp: "useinbandfec=1",
  pcmRate: 16000,
  openDecoder,
  openEncoder,
} as const satisfies Codec;

function openDecoder(): Decode {
  const decoder = new (installed().Decoder)({ channels: 1, sample_rate: 16000 });
  const decode: Decode = (packet, from, to, into) => {
    const bytes = decodeOrNothing(decoder, packet.subarray(from, to));
    if (!bytes) return 0;
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength >> 1, into.length));
    into.set(samples);
    return samples.length;
  };
  decode.close = () => decoder.drop();
  return decode;
}

/** The package throws on a frame that is not Opus; for a decoder of strangers' packets that is an expected answer. */
function decodeOrNothing(decoder: OpusDecoder, frame: Uint8Array): Uint8Array | undefined {
  if (frame.length === 0 || frame.length > LARGEST_FRAME) return undefined;
  try {
    return decoder.decode(frame);
  } catch {
    return undefined;
  }
}

function openEncoder(): Encode {
  const encoder = new (installed().Encoder)({ channels: 1, sample_rate: 16000, application: "voip" });
  encoder.ctl(SET_BITRATE, 24_000);
  // Complexity 10 costs twice as much and is not heard at this rate.
  encoder.ctl(SET_COMPLEXITY, 3);
  encoder.ctl(SET_INBAND_FEC, 1);
  encoder.ctl(SET_PACKET_LOSS, 5);
  const encode: Encode = (pcm, into, at) => {
    const frame = encoder.encode(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength));
    into.set(frame, at);
    return frame.length;
  };
  encode.close = () => encoder.drop();
  return encode;
}

function installed(): OpusPackage {
  // Asked for here and not imported: browsers read this file too, for its record. The package has the shape above;
  // whatever it lacks, the tests of the codecs would miss.
  loaded ??= process.getBuiltinModule("node:module").createRequire(import.meta.url)(
    "@evan/opus/wasm/index.js",
  ) as OpusPackage;
  return loaded;
}
