// How long a job that failed waits for its next try.

export type BackOff = {
  /** Wait before the next try, after so many failures. */
  backOffMs?(failures: number): number;
  /** Wait just that long, where an interface promises it; otherwise the wait is spread, so that not all come at once. */
  exactBackOff?: boolean;
};

const SECOND = 1_000;
const LONGEST_MS = 6 * 3_600 * SECOND;

export function waitAfter(failures: number, { backOffMs, exactBackOff }: BackOff, random: () => number): number {
  const waitMs = backOffMs ? backOffMs(failures) : Math.min(LONGEST_MS, 2 ** failures * SECOND);
  return waitMs * (exactBackOff ? 1 : 0.75 + random() / 2);
}
