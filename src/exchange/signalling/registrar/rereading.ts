// Reads again what changed: one reading after the other, and all that changes during one shares the next.

export type Rereading<Part> = { ask(part: Part): Promise<void>; settled(): Promise<void> };

/** An older reading never overwrites a newer one, and a thousand changes do not mean a thousand readings. */
export function rereading<Part>(read: (parts: ReadonlySet<Part>) => Promise<void>): Rereading<Part> {
  let stale = new Set<Part>();
  let reading: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return { ask, settled: () => reading.catch(() => undefined) };

  function ask(part: Part): Promise<void> {
    stale.add(part);
    next ??= reading.catch(() => undefined).then(start);
    reading = next;
    return next;
  }

  function start(): Promise<void> {
    const parts = stale;
    stale = new Set();
    next = undefined;
    return read(parts);
  }
}
