// What the turns of this thread take, as Node and the kernel count it.

import { readFileSync } from "node:fs";
import { type IntervalHistogram, monitorEventLoopDelay, performance } from "node:perf_hooks";

export type TurnMeasures = {
  /** So long the loop had something to do, since it began. */
  activeMs(): number;
  /** So much of the processor this thread has had. */
  spentMs(): number;
  /** From now on, or no more. */
  lookClosely(on: boolean): void;
  /** How long something that was due had to wait since this was asked before; nothing while nobody looks closely. */
  longestMs(): number;
  p99Ms(): number;
};

const CLOSELY_MS = 10;
const NS = 1e6;

export function closelyMeasured(): TurnMeasures {
  const ofLook = monitorEventLoopDelay({ resolution: CLOSELY_MS });
  const ofAsked = monitorEventLoopDelay({ resolution: CLOSELY_MS });
  /** What is recorded is the time between two looks. */
  const waited = (ns: number) => Math.max(0, ns / NS - CLOSELY_MS);
  const taken = (delay: IntervalHistogram, read: (delay: IntervalHistogram) => number) => {
    const found = delay.count > 0 ? waited(read(delay)) : 0;
    delay.reset();
    return found;
  };
  return {
    activeMs: () => performance.eventLoopUtilization().active,
    spentMs,
    lookClosely(on) {
      for (const delay of [ofLook, ofAsked])
        if (on) delay.enable();
        else delay.disable();
    },
    longestMs: () => taken(ofLook, ({ max }) => max),
    p99Ms: () => taken(ofAsked, (delay) => delay.percentile(99)),
  };
}

function spentMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ", 1)[0]) / NS;
  } catch {
    return 0; // no such file but on Linux
  }
}
