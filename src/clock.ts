// Time as a dependency: the real one is chosen in main.ts, a hand-wound one in tests.

export type Cancel = () => void;

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  after(ms: number, act: () => void): Cancel;
};

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

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
