// How many jobs of a share may run at once: those that keep failing get one try at a time until one succeeds.

/** So many failures in a row. */
const FAILURES_UNTIL_NARROW = 3;

export type ShareRoom = {
  failed(share: string): void;
  succeeded(share: string): void;
  /** For each share that has not as much as any other, with what it runs now. */
  left(running: Iterable<string>): Map<string, number>;
};

/** For each exchange that runs any: how many more it may, whatever their shares. */
export function exchangeRoom(running: Iterable<string>, perExchange: number): Map<string, number> {
  const room = new Map<string, number>();
  for (const share of running) {
    const whose = / (\d+)/.exec(share)?.[1] ?? share;
    room.set(whose, (room.get(whose) ?? perExchange) - 1);
  }
  return room;
}

export function openShareRoom(limits: Readonly<Record<string, number>>, perShare: number): ShareRoom {
  const failing = new Map<string, number>();
  return {
    failed: (share) => void failing.set(share, (failing.get(share) ?? 0) + 1),
    succeeded: (share) => void failing.delete(share),
    left(running) {
      const room = new Map(Object.entries(limits));
      for (const [share, failures] of failing) if (failures >= FAILURES_UNTIL_NARROW) room.set(share, 1);
      for (const share of running) room.set(share, (room.get(share) ?? perShare) - 1);
      return room;
    },
  };
}
