// Time as a dependency: the real one is chosen in main.ts, a hand-wound one in tests.
// Whoever waits or measures reads ticks, which nobody can set; the wall's time is for stamps and may jump at any moment.

export type Cancel = () => void;

declare const since1970: unique symbol;
declare const sinceSomewhen: unique symbol;

/** A stamp: milliseconds since 1970, as the machine's clock says it. Two of them say nothing about how long it took. */
export type WallMs = number & { readonly [since1970]: true };

/** A moment of this process. Not a number to the compiler, so that it cannot be mixed with one that is a stamp. */
export type Ticks = { readonly [sinceSomewhen]: true };

export type Clock = {
  ticks(): Ticks;
  wall(): WallMs;
  after(ms: number, act: () => void): Cancel;
};

export const realClock: Clock = {
  ticks: () => asTicks(performance.now()),
  wall: () => asWall(Date.now()),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

export const LONG_AGO = asTicks(Number.NEGATIVE_INFINITY);
export const NEVER = asTicks(Number.POSITIVE_INFINITY);

/** Milliseconds of a monotonic clock, made a moment; for whoever makes a clock. */
export function asTicks(ms: number): Ticks {
  return ms as unknown as Ticks;
}

/** A number that is known to be a stamp: read from the database, or made from a date. */
export function asWall(ms: number): WallMs {
  return ms as WallMs;
}

/** Milliseconds from one moment to another. */
export function between(from: Ticks, to: Ticks): number {
  return (to as unknown as number) - (from as unknown as number);
}

export function later(moment: Ticks, ms: number): Ticks {
  return asTicks((moment as unknown as number) + ms);
}

export function earliest(one: Ticks, other: Ticks): Ticks {
  return other < one ? other : one;
}

export function latest(one: Ticks, other: Ticks): Ticks {
  return other > one ? other : one;
}

/** Milliseconds gone by since then. */
export function since(clock: Clock, moment: Ticks): number {
  return between(moment, clock.ticks());
}

/** Milliseconds to go until then; negative when it is over. */
export function until(clock: Clock, moment: Ticks): number {
  return between(clock.ticks(), moment);
}

/** The moment so many milliseconds from now. */
export function within(clock: Clock, ms: number): Ticks {
  return later(clock.ticks(), ms);
}

/** Whole milliseconds from here on. */
export function stopwatch(clock: Clock): () => number {
  const began = clock.ticks();
  return () => Math.round(since(clock, began));
}

/** What to write down for a moment, as the wall's clock stands now. */
export function stampOf(clock: Clock, moment: Ticks): WallMs {
  return asWall(clock.wall() + until(clock, moment));
}

/** The moment that a stamp means, as the wall's clock stands now. */
export function momentOf(clock: Clock, stampMs: number): Ticks {
  return within(clock, stampMs - clock.wall());
}

/** A stamp taken at that moment, moved along when the wall's clock was set since; else the very same, for those who compare. */
export function restamped(clock: Clock, moment: Ticks, stampMs: number): WallMs {
  const wholeSeconds = Math.round((stampOf(clock, moment) - stampMs) / 1_000);
  return asWall(stampMs + wholeSeconds * 1_000);
}

/** The same clock, whose stamps go on from here by ticks: however the wall's is set, they tell how long it took. */
export function anchored(clock: Clock, notBeforeMs = 0): Clock {
  const [wall, ticks] = [Math.max(clock.wall(), notBeforeMs), clock.ticks()];
  return { ...clock, wall: () => asWall(wall + Math.round(since(clock, ticks))) };
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

/** A connection on which nothing moves for so long; the runtime watches over each of them at no cost to us. */
export function whenStalled(
  line: { setTimeout(ms: number, act: () => void): unknown },
  ms: number,
  act: () => void,
): void {
  line.setTimeout(ms, act);
}
