// Pages of grey that would take many minutes on the wire: their dots become upright bars, which the code of a fax (T.6,
// which tells of each row only what differs from the one above) makes small. Letters and lines stay as they are.

import { type Bitmap, encodeG4 } from "../fax/g4.ts";
import { octetsARow } from "./paper.ts";

/** What goes in 53 seconds at 14,400 bit/s: with greetings, training and corrections a page then takes about 80. */
const MOST_OCTETS = 95_000;
/** Points from bar to bar, the finest first; a bar's width says how dark it is there, and holds for so many rows. */
const APART = [7, 9, 12];
const DOWN = 6;
/** Fewer points that stand alone on all four sides may well belong to letters. */
const FEWEST_DOTS = 2;

/** The page coded by T.6: as it is if it is small enough, else with the finest bars that are. */
export function codeInTime(page: Bitmap): Uint8Array {
  let coded = encodeG4(page);
  for (const apart of APART) if (coded.length > MOST_OCTETS) coded = encodeG4(toBars(page, apart));
  return coded;
}

/** Where dots are, bars; what a place cannot say of its darkness, those to the right and below it say with theirs. */
function toBars({ width, rows, bits }: Bitmap, apart: number): Bitmap {
  const stride = octetsARow(width);
  const [page, dots, made] = [
    { bits, stride },
    { bits: dotsOf(bits, stride), stride },
    { bits: bits.slice(), stride },
  ];
  const places = Math.ceil(width / apart) + 2;
  let [here, below] = [new Float32Array(places), new Float32Array(places)];
  for (let top = 0; top < rows; top += DOWN) {
    below.fill(0);
    for (let left = 0, place = 1; left < width; left += apart, place++) {
      const cell = { left, top, right: Math.min(left + apart, width), bottom: Math.min(top + DOWN, rows) };
      if (countIn(dots, cell) < FEWEST_DOTS) continue;
      const wanted = countIn(page, cell) / (cell.bottom - cell.top) + here[place]!; // two places more than there are cells
      const bar = Math.max(0, Math.min(cell.right - left, Math.round(wanted)));
      here[place + 1]! += (wanted - bar) / 2;
      below[place]! += (wanted - bar) / 2;
      draw(made, cell, bar);
    }
    [here, below] = [below, here];
  }
  return { width, rows, bits: made.bits };
}

type Points = { bits: Uint8Array; stride: number };
type Cell = { left: number; top: number; right: number; bottom: number };

/** Points that none of their four neighbours is like; outside the page all is white. */
function dotsOf(bits: Uint8Array, stride: number): Uint8Array {
  const dots = new Uint8Array(bits.length);
  for (let at = 0; at < bits.length; at++) {
    const here = bits[at]!; // inside, as all that is not made up below
    const before = at % stride === 0 ? 0 : bits[at - 1]!;
    const after = (at + 1) % stride === 0 ? 0 : bits[at + 1]!;
    const sides = (here ^ ((here >> 1) | (before << 7))) & (here ^ ((here << 1) | (after >> 7)));
    dots[at] = sides & (here ^ (bits[at - stride] ?? 0)) & (here ^ (bits[at + stride] ?? 0));
  }
  return dots;
}

function countIn({ bits, stride }: Points, { left, top, right, bottom }: Cell): number {
  let count = 0;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) if ((bits[y * stride + (x >> 3)]! & (128 >> (x & 7))) !== 0) count++; // inside
  return count;
}

function draw({ bits, stride }: Points, { left, top, right, bottom }: Cell, bar: number): void {
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const [at, bit] = [y * stride + (x >> 3), 128 >> (x & 7)];
      if (x < left + bar) bits[at]! |= bit;
      else bits[at]! &= ~bit;
    }
}
