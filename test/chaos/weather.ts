// Which fault comes when: made of a seed alone, so that a seed brings the same weather again.

import { pause, realClock } from "../../src/clock.ts";
import { pick, type Random } from "../sip/sip-mutator.ts";
import type { Fault } from "./faults.ts";
import type { World } from "./world.ts";

/** Seconds from the beginning. */
export type Planned = { name: string; fromSeconds: number; toSeconds: number };

/** People have time to begin, and to see each fault end before the next. */
const FAIR_SECONDS = 3;
const CALM_SECONDS = { least: 0.5, more: 4 };
const TWO_AT_ONCE = 0.35;

/** Two at most at the same time, of different concerns. The later half of each is as much chance as the first. */
export function planned(random: Random, faults: Readonly<Record<string, Fault>>, seconds: number): Planned[] {
  const names = Object.keys(faults);
  const plan: Planned[] = [];
  // Each once before any comes again: a short run then has had as many kinds as fit.
  let waiting: string[] = [];
  const next = (fits: (fault: Fault) => boolean): string | undefined => {
    if (waiting.length === 0) waiting = shuffled(random, names);
    const at = waiting.findIndex((name) => fits(faults[name]!)); // it is one of theirs
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  for (let at = FAIR_SECONDS; ; ) {
    const one = next(() => true)!; // whatever it is
    const lasts = lasting(random, faults[one]!); // it is one of theirs
    if (at + lasts > seconds) return plan;
    plan.push({ name: one, fromSeconds: at, toSeconds: at + lasts });
    const { concerns } = faults[one]!; // it is one of theirs
    const other =
      random() < TWO_AT_ONCE ? next((fault) => !fault.concerns.some((it) => concerns.includes(it))) : undefined;
    let end = at + lasts;
    if (other !== undefined) {
      const from = at + random() * lasts;
      const to = from + lasting(random, faults[other]!); // it is one of theirs
      if (to <= seconds) plan.push({ name: other, fromSeconds: from, toSeconds: to });
      end = Math.max(end, to);
    }
    at = end + CALM_SECONDS.least + random() * CALM_SECONDS.more;
  }
}

function lasting(random: Random, { atMostSeconds }: Fault): number {
  return Math.max(1, random() * atMostSeconds);
}

function shuffled(random: Random, names: readonly string[]): string[] {
  const left = [...names];
  const order: string[] = [];
  while (left.length > 0) order.push(...left.splice(left.indexOf(pick(random, left)), 1));
  return order;
}

/** Two that were ill at once count once. */
export function fairMsIn(happened: readonly Happened[], { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  let fairMs = 0;
  let wellFromMs = fromMs;
  for (const ill of happened.toSorted((one, other) => one.fromMs - other.fromMs)) {
    fairMs += Math.max(0, Math.min(ill.fromMs, toMs) - wellFromMs);
    wellFromMs = Math.max(wellFromMs, ill.toMs);
  }
  return fairMs + Math.max(0, toMs - wellFromMs);
}

export type Happened = { name: string; fromMs: number; toMs: number };

export type Weather = {
  happened: Happened[];
  /** Kept when all of it is over. */
  over: Promise<void>;
  /** Whether something of that kind was ill at any time between. */
  wasIll(span: { fromMs: number; toMs: number }, isMeant?: (name: string) => boolean): boolean;
  /** How much of that time nothing was ill. */
  fairMs(span: { fromMs: number; toMs: number }): number;
};

/** What was ill is not well in the very moment it ends. */
const AFTER_MS = 10_000;

export function begin(
  plan: Planned[],
  { world, faults, random }: { world: World; faults: Readonly<Record<string, Fault>>; random: Random },
): Weather {
  const happened: Happened[] = [];
  const one = async ({ name, fromSeconds, toSeconds }: Planned) => {
    const fault = faults[name]!; // it was planned from them
    await pause(realClock, fromSeconds * 1_000);
    const noted = { name, fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY };
    happened.push(noted);
    await fault.begin(world, random);
    await pause(realClock, (toSeconds - fromSeconds) * 1_000);
    await fault.end?.(world);
    noted.toMs = performance.now();
  };
  const over = Promise.all(plan.map(one)).then(() => undefined);
  over.catch(() => undefined); // told to whoever waits for it, which is later
  return {
    happened,
    over,
    wasIll: ({ fromMs, toMs }, isMeant = () => true) =>
      happened.some((it) => isMeant(it.name) && it.fromMs <= toMs && it.toMs + AFTER_MS >= fromMs),
    fairMs: (span) => fairMsIn(happened, span),
  };
}
