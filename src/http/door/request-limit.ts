// How long a request is worth anything: until its client leaves, or its time is over. Nothing begins after that.

import { type Cancel, type Clock, until, within } from "../../clock.ts";
import type { RequestLimit } from "../../store/limit.ts";
import { refuse } from "./answer.ts";

/** What is said of a request that was given up, and when it is worth another try. */
export const TOO_LATE = refuse({ refused: "given-up", seconds: 5 });

export type TimedRequest = RequestLimit & {
  /** The answer, or that there is none in time; what comes later is heard by nobody. */
  answeredBy<Value>(answer: Promise<Value>): Promise<Value | typeof TOO_LATE>;
};

/** `isGone`: whether the client has hung up. */
export function timeRequest(clock: Clock, ms: number, isGone: () => boolean): TimedRequest {
  let end = within(clock, ms);
  let held = 0;
  let isOver = false;
  let tell: (() => void) | undefined;
  let cancel: Cancel = () => undefined;
  let over: Promise<void> | undefined;
  const arm = () => {
    cancel();
    if (!tell || held > 0) return;
    cancel = clock.after(Math.max(0, until(clock, end)), () => {
      isOver = true;
      tell?.();
    });
  };
  const limit: RequestLimit = {
    strict: true,
    leftMs: () => (isOver || isGone() ? 0 : held > 0 ? ms : Math.min(ms, until(clock, end))),
    async hold(work) {
      held += 1;
      cancel();
      try {
        return await work;
      } finally {
        held -= 1;
        end = within(clock, ms);
        arm();
      }
    },
    over() {
      over ??= new Promise((resolve) => {
        tell = resolve;
        arm();
      });
      return over;
    },
  };
  return {
    ...limit,
    async answeredBy(answer) {
      try {
        return await Promise.race([answer, limit.over().then(() => TOO_LATE)]);
      } finally {
        held += 1; // a file that is sent piece by piece may take as long as its reader reads
        tell = undefined;
        cancel();
      }
    },
  };
}
