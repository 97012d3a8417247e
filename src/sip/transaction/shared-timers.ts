// A clock whose long timers share a few real ones: half a minute of transactions would else hold a timer each.

import type { Cancel, Clock } from "../../clock.ts";

/** From here on a little late does no harm: these timers only tidy up, or give up. */
const LONG_MS = 4_500;
/** Timers that start within this time of each other end together, at the end of the last. */
const TOGETHER_MS = 250;

type Group = { acts: Set<() => void>; stop: Cancel };

export function sharedTimers(clock: Clock): Clock & { stop(): void } {
  /** The group each length of time is still filling. */
  const filling = new Map<number, Group>();
  const all = new Set<Group>();

  return {
    ticks: clock.ticks,
    wall: clock.wall,
    after: (ms, act) => (ms < LONG_MS ? clock.after(ms, act) : join(ms, act)),
    stop() {
      for (const group of all) group.stop();
      all.clear();
      filling.clear();
    },
  };

  function join(ms: number, act: () => void): Cancel {
    const group = filling.get(ms) ?? open(ms);
    group.acts.add(act);
    return () => leave(ms, group, act);
  }

  function open(ms: number): Group {
    const group: Group = { acts: new Set(), stop: clock.after(TOGETHER_MS, () => close(ms, group)) };
    filling.set(ms, group);
    all.add(group);
    return group;
  }

  function close(ms: number, group: Group) {
    filling.delete(ms);
    group.stop = clock.after(ms, () => {
      all.delete(group);
      for (const act of group.acts) act();
    });
  }

  function leave(ms: number, group: Group, act: () => void) {
    if (!group.acts.delete(act) || group.acts.size > 0) return;
    group.stop();
    all.delete(group);
    if (filling.get(ms) === group) filling.delete(ms);
  }
}
