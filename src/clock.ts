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
