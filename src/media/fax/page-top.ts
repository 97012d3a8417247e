// Puts rows on top of a page that is coded as group 4 already, without decoding it.

import type { Bitmap } from "../documents/bitmap.ts";
import { encodeG4 } from "../documents/g4.ts";

/** Two ends of line close a page, with nothing but zeros behind them. */
const END_BITS = 24;

/**
 * The last of the rows must be white, since the page's first row is told by its difference to a white one. They take
 * the place of as many white rows where the page has them at its top, so that it keeps its length.
 */
export function putOnTop(top: Bitmap, g4: Uint8Array): { g4: Uint8Array; grownBy: number } {
  const coded = encodeG4(top);
  // A white row below a white one is a single 1.
  const isBlank = leadingOnes(g4) >= top.height;
  const joined = joinBits(coded, lastOne(coded) - END_BITS, { octets: g4, from: isBlank ? top.height : 0 });
  return { g4: joined, grownBy: isBlank ? 0 : top.height };
}

function leadingOnes(octets: Uint8Array): number {
  const place = octets.findIndex((octet) => octet !== 0xff);
  return place < 0 ? octets.length * 8 : place * 8 + Math.clz32(~((octets[place] ?? 0) << 24));
}

/** Bits up to and with the last that is set. */
function lastOne(octets: Uint8Array): number {
  const place = octets.findLastIndex((octet) => octet !== 0);
  const octet = octets[place] ?? 0;
  return place * 8 + 8 - (31 - Math.clz32(octet & -octet));
}

function joinBits(head: Uint8Array, headBits: number, tail: { octets: Uint8Array; from: number }): Uint8Array {
  const bits = headBits + tail.octets.length * 8 - tail.from;
  const joined = new Uint8Array((bits + 7) >> 3);
  joined.set(head.subarray(0, (headBits + 7) >> 3));
  // Beyond what counts the head's last octet holds the beginning of its end.
  if (headBits & 7) joined[headBits >> 3]! &= 0xff << (8 - (headBits & 7)); // inside: the tail follows
  const { octets, from } = tail;
  for (let at = headBits >> 3; at < joined.length; at++) {
    // The eight bits of the tail that come to stand here; before its beginning and after its end there are zeros.
    const bit = at * 8 - headBits + from;
    const place = bit >> 3;
    const pair = ((octets[place] ?? 0) << 8) | (octets[place + 1] ?? 0);
    const window = (pair >> (8 - (bit & 7))) & 0xff;
    const isFirst = at === headBits >> 3;
    joined[at]! |= isFirst ? window & (0xff >> (headBits & 7)) : window; // as above
  }
  return joined;
}
