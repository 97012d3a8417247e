// AMR and AMR-WB between packets and a library: what was lost is guessed by the library, what they ask for is heeded.

import {
  type AmrBand,
  type AmrForm,
  AmrReader,
  ASKS_NOTHING,
  FRAME_BYTES,
  NO_DATA,
  writeFrame,
} from "./amr-payload.ts";
import type { Decode, Encode } from "./shape.ts";

/** A library's state, with what it does to one frame. */
export type AmrDecoder = { decode(frame: Uint8Array, into: Int16Array): void; close(): void };
export type AmrEncoder = { encode(mode: number, pcm: Int16Array, into: Uint8Array): void; close(): void };

const LOST = Uint8Array.from({ length: FRAME_BYTES }, (_, at) => (at === 0 ? (NO_DATA << 3) | 4 : 0));

export function openAmrDecoder(band: AmrBand, { aligned }: AmrForm, library: AmrDecoder): Decode {
  const reader = new AmrReader(band, aligned);
  const pcm = new Int16Array(band.samples);
  const decode: Decode = (packet, from, to, into) => {
    const frames = reader.open(packet, from, to);
    if (frames * band.samples > into.length) return 0;
    for (let i = 0; i < frames; i++) {
      library.decode(reader.read(i) ? reader.frame : LOST, pcm);
      into.set(pcm, i * band.samples);
    }
    return frames * band.samples;
  };
  decode.conceal = (into) => {
    library.decode(LOST, pcm);
    into.set(pcm);
  };
  decode.asks = () => (reader.asked === ASKS_NOTHING ? undefined : reader.asked);
  decode.close = () => library.close();
  return decode;
}

export function openAmrEncoder(band: AmrBand, { aligned, modes }: AmrForm, library: AmrEncoder): Encode {
  const frame = new Uint8Array(FRAME_BYTES);
  const best = (most: number) => modes.findLast((mode) => mode <= most) ?? modes[0]!; // no form is without a mode
  let mode = best(band.mode);
  let wanted = mode;
  let frames = 0;
  const encode: Encode = (pcm, into, at) => {
    if (pcm.length !== band.samples) return 0;
    // One step every second frame: whoever comes over a mobile network can follow no faster (mode-change-period).
    if (frames++ % 2 === 0 && wanted !== mode) mode = modes[modes.indexOf(mode) + Math.sign(wanted - mode)]!;
    frame.fill(0);
    library.encode(mode, pcm, frame);
    return writeFrame(band, aligned, frame, into, at);
  };
  // They may ask for less than we would send, or for more.
  encode.heed = (asked) => {
    wanted = best(asked);
  };
  encode.close = () => library.close();
  return encode;
}
