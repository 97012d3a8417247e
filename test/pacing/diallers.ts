// Diallers to compare: ours, and those that keep a fixed number of lines for each agent.

import {
  ABANDONED_CAP,
  callsToStart,
  nothingSeen,
  sawAttempt,
  sawTalk,
} from "../../src/exchange/features/campaigns/pacing.ts";
import { type CallCentre, type Day, type Dialler, workThrough } from "./call-centre.ts";

const NO_LIMIT = 100_000;

export function paced({ cap = ABANDONED_CAP, multiplier = NO_LIMIT } = {}): Dialler {
  let seen = nothingSeen;
  let up = 0;
  return {
    start({ free, busy, ringing, waiting, served, abandoned }) {
      up = ringing + waiting + busy;
      const crew = { freeAgents: free, busyAgents: busy, ringing, waiting, up };
      return callsToStart({ ...crew, multiplier, room: 1_000, served, abandoned, cap, seen });
    },
    attempted: (attempt) => {
      seen = sawAttempt(seen, { ...attempt, up });
    },
    talked: (seconds) => {
      seen = sawTalk(seen, { seconds, up });
    },
  };
}

/** So many lines for each agent who is free. */
const forTheFree = (ratio: number): Dialler => ({
  start: ({ free, ringing, waiting }) => Math.floor(ratio * free) - ringing - waiting,
});

/** So many lines for each agent on duty, those with a talk on them included. */
const forAll = (ratio: number): Dialler => ({
  start: ({ free, busy, ringing, waiting }) => Math.floor(ratio * (free + busy)) - busy - ringing - waiting,
});

/**
 * The fixed ratio of either kind that keeps agents busiest and stays under the cap on each of the days. Nobody could know
 * it beforehand.
 */
export function bestRatio(days: readonly CallCentre[], cap: number): { name: string; days: Day[] } {
  const [best] = kinds
    .map((kind) => boldestUnder(kind, days, cap))
    .sort((one, other) => meanUtilisation(other.days) - meanUtilisation(one.days));
  return best!; // there are kinds
}

export function meanUtilisation(days: readonly Day[]): number {
  return days.reduce((sum, { utilisation }) => sum + utilisation, 0) / days.length;
}

type Kind = { name: string; dialler(ratio: number): Dialler; least: number; most: number };

const kinds: Kind[] = [
  { name: "x free", dialler: forTheFree, least: 1, most: 30 },
  { name: "x all", dialler: forAll, least: 1, most: 5 },
];

/** From the boldest ratio down: a lower one keeps agents less busy. */
function boldestUnder({ name, dialler, least, most }: Kind, days: readonly CallCentre[], cap: number) {
  for (let ratio = most; ratio > least; ratio = least + (ratio - least) * 0.93 - 0.005) {
    const worked: Day[] = [];
    for (const day of days) {
      worked.push(workThrough(day, dialler(ratio)));
      if (worked.at(-1)!.share > cap) break;
    }
    if (worked.every(({ share }) => share <= cap)) return { name: `${ratio.toFixed(2)} ${name}`, days: worked };
  }
  return { name: `${least} ${name}`, days: days.map((day) => workThrough(day, dialler(least))) };
}
