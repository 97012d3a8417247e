// The window: so many requests may be unanswered at once, the others wait their turn in order.

export type Window = {
  /** Kept when there is room; call what it returns when the answer is there. */
  enter(): Promise<() => void>;
  /** The line fell: everybody who waits goes on at once and finds it out. */
  empty(): void;
};

export function openWindow(size: number): Window {
  let inside = 0;
  let waiting: (() => void)[] = [];
  const leaveOnce = () => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside--;
      if (inside < size) waiting.shift()?.();
    };
  };
  return {
    enter() {
      if (inside < size) {
        inside++;
        return Promise.resolve(leaveOnce());
      }
      return new Promise((enter) =>
        waiting.push(() => {
          inside++;
          enter(leaveOnce());
        }),
      );
    },
    empty() {
      const all = waiting;
      waiting = [];
      for (const go of all) go();
    },
  };
}
