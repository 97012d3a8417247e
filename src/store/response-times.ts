// How long callers waited until a person took the call, and how long those stayed whom nobody took.
// docs/console.md says what counts; TAKEN and WAITED of cdrs.ts say it in SQL, for the list of calls as well.

import { type CdrFilter, everyCdr } from "./cdr-filter.ts";
import type { Db } from "./db.ts";
import { TAKEN, WAITED } from "./outcomes.ts";
import { type Heaps, heapsFromSums } from "./response-sums.ts";
import { heapsOfSeen } from "./seen-waits.ts";
import { place, sql } from "./sql.ts";

/** Each band reaches up to its bound, the bound included; the last one has none. */
const BAND_BOUNDS = [5, 10, 20, 30, 60, 120] as const;

export type ResponseFigures = {
  answered: number;
  /** Of the answered ones, those who waited no longer than promised. */
  inTime: number;
  /** Seconds, of the answered ones; nothing where there are none. */
  average: number | null;
  median: number | null;
  ninetieth: number | null;
  longest: number | null;
  unanswered: number;
  /** Seconds until they were gone, of the unanswered ones. */
  averageGone: number | null;
  medianGone: number | null;
  longestGone: number | null;
};

export type ResponseBand = { over: number | null; upTo: number | null; answered: number; unanswered: number };

export type ResponseTimes = {
  whole: ResponseFigures;
  bands: ResponseBand[];
  hours: (ResponseFigures & { hour: number })[];
  days: (ResponseFigures & { day: string })[];
};

export type ResponseWanted = {
  exchangeId: number;
  timeZone: string;
  filter: CdrFilter & { from: Date; before: Date };
  promisedSeconds: number;
};

/** So many calls waited so many seconds. */
type Heap = { hour: number | null; day: string | null; taken: boolean; waited: number; calls: number };

export async function responseTimes(db: Db, wanted: ResponseWanted): Promise<ResponseTimes> {
  const [heaps, days] = await Promise.all([heapsOf(db, wanted), daysOf(db, wanted)]);
  const ofHours = heaps.filter(({ hour }) => hour !== null); // each call is in one of them
  const byHour = sortedOut(ofHours, ({ hour }) => hour);
  const byDay = sortedOut(heaps, ({ day }) => day);
  const figures = (some: readonly Heap[] = []) => figuresOf(some, wanted.promisedSeconds);
  return {
    whole: figures(ofHours),
    bands: bandsOf(ofHours),
    hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...figures(byHour.get(hour)) })),
    days: days.map((day) => ({ day, ...figures(byDay.get(day)) })),
  };
}

async function heapsOf(db: Db, wanted: ResponseWanted): Promise<Heap[]> {
  const kept = await heapsFromSums(db, wanted);
  if (kept) return unpacked(kept);
  const seen = await heapsOfSeen(db, wanted);
  if (!seen) return heapsFromRecords(db, wanted);
  if (!seen.newest) return unpacked(seen.heaps);
  const { at, after } = seen.newest;
  const newest = await heapsFromRecords(db, { ...wanted, filter: { ...wanted.filter, from: at, before: after } });
  return [...unpacked(seen.heaps), ...newest];
}

function unpacked(heaps: readonly Heaps[]): Heap[] {
  return heaps.flatMap(({ hour, day, taken, waits, calls }) =>
    waits.map((waited, index) => ({ hour, day, taken, waited, calls: calls[index] ?? 0 })),
  );
}

/**
 * Calls that a person took or that were missed: who is blocked, or reached the fax machine, waited for nobody.
 * `offset 0` has each call's time of day worked out once, which halves the time a year of calls takes.
 */
function heapsFromRecords(db: Db, { exchangeId, timeZone, filter }: ResponseWanted): Promise<Heap[]> {
  const { source, values } = everyCdr(exchangeId, filter);
  return db.query<Heap>(
    sql`select hour, to_char(day, 'YYYY-MM-DD') as day, taken, waited, count(*) as calls
     from (select date_part('hour', local)::int as hour, local::date as day, taken, waited
       from (select ${TAKEN} as taken, missed, ${WAITED} as waited,
           start_stamp at time zone ${place(values.length + 1)} as local
         from ${source} offset 0) calls
       where taken or missed) counted
     group by grouping sets ((hour, taken, waited), (day, taken, waited))`,
    [...values, timeZone],
  );
}

/** Every day of the stretch, those without calls as well. */
async function daysOf(db: Db, { filter: { from, before }, timeZone }: ResponseWanted): Promise<string[]> {
  const rows = await db.query<{ day: string }>(
    sql`select to_char(day, 'YYYY-MM-DD') as day
     from generate_series(date_trunc('day', $1::timestamptz at time zone $3),
       date_trunc('day', ($2::timestamptz - interval '1 millisecond') at time zone $3), interval '1 day') as day
     where $1::timestamptz < $2::timestamptz`,
    [from, before, timeZone],
  );
  return rows.map(({ day }) => day);
}

function sortedOut<Key>(heaps: readonly Heap[], keyOf: (heap: Heap) => Key): Map<Key, Heap[]> {
  const sorted = new Map<Key, Heap[]>();
  for (const heap of heaps) {
    const some = sorted.get(keyOf(heap));
    if (some) some.push(heap);
    else sorted.set(keyOf(heap), [heap]);
  }
  return sorted;
}

function figuresOf(heaps: readonly Heap[], promisedSeconds: number): ResponseFigures {
  const taken = heaps.filter((heap) => heap.taken).sort((a, b) => a.waited - b.waited);
  const gone = heaps.filter((heap) => !heap.taken).sort((a, b) => a.waited - b.waited);
  return {
    answered: callsIn(taken),
    inTime: callsIn(taken.filter(({ waited }) => waited <= promisedSeconds)),
    average: averageOf(taken),
    median: percentile(taken, 0.5),
    ninetieth: percentile(taken, 0.9),
    longest: taken.at(-1)?.waited ?? null,
    unanswered: callsIn(gone),
    averageGone: averageOf(gone),
    medianGone: percentile(gone, 0.5),
    longestGone: gone.at(-1)?.waited ?? null,
  };
}

function bandsOf(heaps: readonly Heap[]): ResponseBand[] {
  return [...BAND_BOUNDS, null].map((upTo, index) => {
    const over = BAND_BOUNDS[index - 1] ?? null;
    const inside = heaps.filter(({ waited }) => waited > (over ?? -1) && waited <= (upTo ?? Number.POSITIVE_INFINITY));
    const answered = callsIn(inside.filter(({ taken }) => taken));
    return { over, upTo, answered, unanswered: callsIn(inside) - answered };
  });
}

function callsIn(heaps: readonly Heap[]): number {
  return heaps.reduce((sum, { calls }) => sum + calls, 0);
}

function averageOf(heaps: readonly Heap[]): number | null {
  const seconds = heaps.reduce((sum, { calls, waited }) => sum + calls * waited, 0);
  return heaps.length === 0 ? null : seconds / callsIn(heaps);
}

/** A wait that somebody had, and that at least this share of them did not exceed. The heaps are in order. */
function percentile(heaps: readonly Heap[], share: number): number | null {
  let left = Math.ceil(callsIn(heaps) * share);
  for (const { waited, calls } of heaps) {
    left -= calls;
    if (left <= 0) return waited;
  }
  return null;
}
