// Whoever reads a time and writes or asks by it, and whoever moves the rows that wait for one: many of the former at once,
// or one of the latter alone. Within one process; whoever asks by the old time after a move would find what is not due.

export type During = <Result>(act: () => Promise<Result>) => Promise<Result>;

export type Still = {
  /** At once, or after the move that goes on. */
  during: During;
  /** After everything that goes on; what comes meanwhile waits for it. */
  moving: During;
};

export function openStill(): Still {
  const goingOn = new Set<Promise<unknown>>();
  let move: Promise<unknown> = Promise.resolve();
  let moves = 0;
  return {
    async during(act) {
      while (moves > 0) await move;
      const done = act();
      const settled: Promise<unknown> = done.catch(() => undefined).then(() => goingOn.delete(settled));
      goingOn.add(settled);
      return done;
    },
    async moving(act) {
      moves += 1;
      const before = move;
      const done = (async () => {
        await before;
        await Promise.all(goingOn);
        return act();
      })();
      move = done.catch(() => undefined).then(() => (moves -= 1));
      return done;
    },
  };
}
