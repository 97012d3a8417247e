// Opus by the WebAssembly build inside @evan/opus, for machines without libopus; three times as dear. Its native build
// is not used: it ends the whole process when a thread using it ends.

import { LARGEST_FRAME, opusSettings } from "./opus-settings.ts";
import type { Decode, Encode, PcmRate } from "./shape.ts";

/** The few calls used here, said in our own words because this part of the package has no types. */
type OpusPackage = {
  Decoder: new (options: { channels: 1; sample_rate: PcmRate }) => OpusDecoder;
  Encoder: new (options: { channels: 1; sample_rate: PcmRate; application: "voip" }) => OpusEncoder;
};
type OpusDecoder = { decode(frame: Uint8Array): Uint8Array; drop(): void };
type OpusEncoder = { encode(pcm: Uint8Array): Uint8Array; ctl(request: number, value: number): number; drop(): void };

let loaded: OpusPackage | undefined;

export function openWasmDecoder(rate: PcmRate): Decode {
  const decoder = new (installed().Decoder)({ channels: 1, sample_rate: rate });
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

export function openWasmEncoder(rate: PcmRate): Encode {
  const encoder = new (installed().Encoder)({ channels: 1, sample_rate: rate, application: "voip" });
  for (const [request, value] of opusSettings) encoder.ctl(request, value);
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
