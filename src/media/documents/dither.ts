// Grey to black and white: dark and light stay solid, so that letters are crisp; only what lies between is dithered.

import type { Bitmap } from "../fax/g4.ts";
import { type GreyPage, octetsARow } from "./paper.ts";

const SURELY_BLACK = 48;
const SURELY_WHITE = 215;

/** Floyd and Steinberg's error diffusion, each second row from right to left, which leaves no worms in even greys. */
export function toBitmap({ width, height, points }: GreyPage): Bitmap {
  const stride = octetsARow(width);
  const bits = new Uint8Array(stride * height);
  // One place more on either side, so that the edges need no question.
  let here = new Float32Array(width + 2);
  let below = new Float32Array(width + 2);
  for (let y = 0; y < height; y++) {
    below.fill(0);
    const backwards = (y & 1) === 1;
    const step = backwards ? -1 : 1;
    for (let i = 0; i < width; i++) {
      const x = backwards ? width - 1 - i : i;
      const wanted = stretched(points[y * width + x]!) + here[x + 1]!; // both arrays are as long as the loop
      const isInk = wanted < 128;
      if (isInk) bits[y * stride + (x >> 3)]! |= 128 >> (x & 7);
      const error = isInk ? wanted : wanted - 255;
      if (error === 0) continue;
      here[x + 1 + step]! += (error * 7) / 16;
      below[x + 1 - step]! += (error * 3) / 16;
      below[x + 1]! += (error * 5) / 16;
      below[x + 1 + step]! += error / 16;
    }
    [here, below] = [below, here];
  }
  return { width, rows: height, bits };
}

function stretched(grey: number): number {
  if (grey < SURELY_BLACK) return 0;
  return grey > SURELY_WHITE ? 255 : ((grey - SURELY_BLACK) * 255) / (SURELY_WHITE - SURELY_BLACK);
}
