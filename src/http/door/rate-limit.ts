// How often a caller may ask: one number per bucket (GCRA), so that rate and burst are exact and memory is bounded.

import { holderOf } from "../../addresses.ts";
import { between, type Clock, later, latest, type Ticks } from "../../clock.ts";

export type Rate = { requests: number; perMs: number; burst: number };

const SECOND = 1_000;
const MINUTE = 60_000;

/** The interface's table of limits. Where it names no burst, the whole allowance may come at once. */
export const rates = {
  default: { requests: 2, perMs: SECOND, burst: 10 },
  originate: { requests: 3, perMs: SECOND, burst: 100 },
  campaigns: { requests: 2, perMs: SECOND, burst: 50 },
  statuses: { requests: 2, perMs: MINUTE, burst: 2 },
  cdrs: { requests: 6, perMs: MINUTE, burst: 6 },
  waiting: { requests: 10, perMs: MINUTE, burst: 10 },
  recording: { requests: 5, perMs: MINUTE, burst: 5 },
  // A player fetches a recording in many small ranges, so tickets have a wider door than the operations.
  download: { requests: 20, perMs: SECOND, burst: 200 },
  // Wide enough for a whole office that mistyped its key, narrow enough that guessing leads nowhere.
  badKey: { requests: 5, perMs: SECOND, burst: 100 },
  badLogin: { requests: 5, perMs: SECOND, burst: 100 },
  badToken: { requests: 5, perMs: SECOND, burst: 100 },
  // Passwords of staff, from one address.
  signIn: { requests: 10, perMs: MINUTE, burst: 20 },
  staffDoor: { requests: 10, perMs: MINUTE, burst: 20 },
  // Ways to a provider and back: a whole office comes in at nine, and nothing is guessed there.
  signOn: { requests: 5, perMs: SECOND, burst: 100 },
  // Screens on the wall that are lit: all of an office after a power cut, and nobody who tries links.
  wall: { requests: 1, perMs: SECOND, burst: 100 },
  // One web phone searches while its owner types.
  webphone: { requests: 10, perMs: SECOND, burst: 60 },
  // The SMS API counts sending by itself and everything else together.
  smsSend: { requests: 240, perMs: MINUTE, burst: 80 },
  smsOther: { requests: 20, perMs: MINUTE, burst: 10 },
} satisfies Record<string, Rate>;

export type Pool = keyof typeof rates;
export type Rates = Record<Pool, Rate>;

export type RateLimit = {
  /** Zero when the request may pass; otherwise how long its sender should wait. `who` may have an address in it. */
  take(pool: Pool, who: string): number;
};

/** What is counted for an address, whoever's it is: tries of what opens a door. */
export const guessPools = [
  "badKey",
  "badLogin",
  "badToken",
  "signIn",
  "staffDoor",
  "signOn",
  "wall",
] as const satisfies readonly Pool[];
export type GuessPool = (typeof guessPools)[number];

/** Zero when it may be tried; otherwise how long to wait. Where several nodes count together, it takes a moment. */
export type CountGuess = (pool: GuessPool, address: string) => number | Promise<number>;

const MOST_BUCKETS = 200_000;
const ROUNDING = 1e-6;

export type RateOptions = {
  table?: Rates | undefined;
  mostBuckets?: number;
  /** Told of each who has to wait. */
  refused?: ((pool: Pool) => void) | undefined;
};

export function rateLimit(clock: Clock, options: RateOptions = {}): RateLimit {
  const { table = rates, mostBuckets = MOST_BUCKETS, refused } = options;
  /** For each bucket the moment at which it is full again. */
  const fullAt = new Map<string, Ticks>();
  return {
    take(pool, who) {
      const { requests, perMs, burst } = table[pool];
      const bucket = `${pool} ${countedFor(who)}`;
      const now = clock.ticks();
      const before = latest(fullAt.get(bucket) ?? now, now);
      const next = later(before, perMs / requests);
      const wait = between(now, next) - (perMs / requests) * burst;
      // Near the brim the map is kept in the order of last use, so that the oldest is the first to go.
      if (fullAt.size > mostBuckets / 2) fullAt.delete(bucket);
      fullAt.set(bucket, wait > ROUNDING ? before : next);
      if (fullAt.size > mostBuckets) makeRoom(fullAt, now);
      if (wait <= ROUNDING) return 0;
      refused?.(pool);
      return wait;
    },
  };
}

/** Whoever has one address of IPv6 has 2^64 of them, and one allowance, however he is named beside his address. */
function countedFor(who: string): string {
  return who.includes(":") ? who.split(" ").map(holderOf).join(" ") : who;
}

// A full bucket says nothing, so it can go; if all are in use, those used longest ago go, an eighth at a time.
function makeRoom(fullAt: Map<string, Ticks>, now: Ticks): void {
  const wanted = Math.floor(fullAt.size * 0.875);
  for (const [bucket, at] of fullAt) if (at <= now) fullAt.delete(bucket);
  for (const bucket of fullAt.keys()) {
    if (fullAt.size <= wanted) return;
    fullAt.delete(bucket);
  }
}
