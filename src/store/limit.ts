// How long whoever asks the database waits: a request at a door a few seconds, background work longer, migrations for ever.

import { type Clock, until, within } from "../clock.ts";

export type Limit = {
  /** What is left for the next statement; not above zero: nothing may begin any more. */
  leftMs(): number;
  /** What was not done in time must not be done later either, when a database that hung wakes up. */
  strict: boolean;
  /** Whoever waits has gone: what is under way for him is ended as well. */
  gone?: AbortSignal;
};

/** That of somebody who waits for an answer. */
export type RequestLimit = Limit & {
  /** What takes long on purpose (a body that comes slowly, a phone that rings) does not count; the time begins anew after it. */
  hold<Value>(work: Promise<Value>): Promise<Value>;
  /** Kept when the time is over: whoever waits is told to come back later. */
  over(): Promise<void>;
};

/** Each statement by itself, for work that nobody waits for; 0: however long it takes. */
export function eachWithin(seconds: number): Limit {
  const ms = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1_000;
  return { leftMs: () => ms, strict: false };
}

/** As long as any statement may take, for whoever may go before it is there. */
export function whileWanted(gone: AbortSignal): Limit {
  return { leftMs: () => (gone.aborted ? 0 : Number.POSITIVE_INFINITY), strict: false, gone };
}

/** Of several who wait for the same work: that of whoever has the least time left. Who leaves meanwhile does not stop it. */
export function shortestOf(clock: Clock, limits: readonly Limit[]): Limit {
  const end = within(clock, Math.min(...limits.map((limit) => limit.leftMs())));
  return { leftMs: () => until(clock, end), strict: limits.some(({ strict }) => strict) };
}

/** For whoever is no request, and waits however long it takes. */
export const forEver: RequestLimit = {
  ...eachWithin(0),
  hold: (work) => work,
  over: () => new Promise(() => undefined),
};

/** Thrown before anything is done for a request whose client has gone, or whose time is over. */
export class GivenUp extends Error {
  constructor() {
    super("given up: whoever asked has gone, or was told to come back later");
  }
}
