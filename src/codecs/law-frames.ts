// The hot loops of G.711: a frame through a table. One byte is one sample, and the tables hold every input.

import type { Decode, Encode } from "./shape.ts";

export function decodeByTable(table: Int16Array): Decode {
  return (packet, from, to, into) => {
    const samples = Math.min(to - from, into.length);
    for (let i = 0; i < samples; i++) into[i] = table[packet[from + i]!]!;
    return samples;
  };
}

export function encodeByTable(table: Uint8Array): Encode {
  return (pcm, into, at) => {
    for (let i = 0; i < pcm.length; i++) into[at + i] = table[pcm[i]! + 32_768]!;
    return pcm.length;
  };
}
