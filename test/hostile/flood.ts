// Very many requests from a seed: each is made of its own number alone, so that one that does harm can be sent again.

import { type Random, randomFrom } from "./hostile.ts";

export const SEED = Number(process.env.SANTRAL_FUZZ_SEED ?? 1);

/** `SANTRAL_FUZZ` is how many of the long form. */
export function floodOf(usually: number): number {
  return Number(process.env.SANTRAL_FUZZ ?? usually);
}

const AT_ONCE = 6;
const MOST_TOLD = 20;

/** What is wrong with an answer, if anything is. */
export type Complaint = string | undefined;

/** What was wrong, each with the number that it was made of. */
export async function flood(count: number, send: (random: Random) => Promise<Complaint>): Promise<string[]> {
  const wrong: string[] = [];
  let next = 0;
  const sender = async () => {
    while (next < count && wrong.length < MOST_TOLD) {
      const seed = SEED + next++;
      const complaint = await send(randomFrom(Math.imul(seed, 0x9e3779b1))).catch((error: unknown) => String(error));
      if (complaint !== undefined) wrong.push(`${seed}: ${complaint}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return wrong;
}

/** What was to go to a host that does not exist is given up in the end, as it should be. */
const SENT_NOWHERE =
  /"kind":"webhook\.deliver".*"error":"(?:\S+ has no address|no name server says where)\b.*"msg":"a job was given up;/;

/** Lines of a log that tell of a mistake of ours. */
export function mistakesIn(log: string): string[] {
  const lines = log
    .split("\n")
    .filter((line) => /"level":"(?:error|fatal)"/.test(line) || /^\s+at .*:\d+:\d+/.test(line))
    .filter((line) => !SENT_NOWHERE.test(line));
  return [...new Set(lines.map((line) => line.replace(/"time":"[^"]*",?/, "").slice(0, 2_000)))].slice(0, MOST_TOLD);
}
