// Randomness from the operating system, fetched in blocks: asking for each tag by itself costs more than the tag.

import { randomFillSync } from "node:crypto";
import type { Random } from "../headers/random.ts";

const BLOCK_OCTETS = 8_192;

export function openRandom(): Random {
  const block = new Uint8Array(BLOCK_OCTETS);
  let used = BLOCK_OCTETS;
  return (octets) => {
    if (used + octets > BLOCK_OCTETS) {
      randomFillSync(block);
      used = 0;
    }
    used += octets;
    // A copy, so that the next block does not change what was handed out.
    return block.slice(used - octets, used);
  };
}
