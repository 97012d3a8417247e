// Words nobody can guess: branches, tags and Call-IDs out of the randomness that is passed in.

import { flat } from "../message/flat.ts";
import { MAGIC_COOKIE } from "./via.ts";

/** That many octets of randomness fit for secrets. */
export type Random = (octets: number) => Uint8Array;

const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, "0"));

export const newBranch = (random: Random): string => MAGIC_COOKIE + word(random, 16);
export const newTag = (random: Random): string => word(random, 8);
export const newCallId = (random: Random): string => word(random, 16);

function word(random: Random, octets: number): string {
  let text = "";
  for (const octet of random(octets)) text += HEX[octet];
  return flat(text);
}
