// Facts that are asked for at every request, kept for a moment and forgotten the instant they change.

import { type Clock, type Ticks, within } from "../../clock.ts";

export type Memory<Key, Value> = {
  /** Straight from memory where possible: no promise, no turn of the event loop. */
  get(key: Key): Value | Promise<Value>;
  forget(which: (key: Key, value: Value | undefined) => boolean): void;
};

type Entry<Value> = { until: Ticks; value?: Value; loading?: Promise<Value> };

/** Change is announced by the database. Should that line be cut, this is how long a stale fact can live. */
const KEEP_MS = 1_000;
const MOST_ENTRIES = 20_000;

export function memory<Key, Value>(
  clock: Clock,
  load: (key: Key) => Promise<Value>,
  keepMs = KEEP_MS,
): Memory<Key, Value> {
  const entries = new Map<Key, Entry<Value>>();

  function begin(key: Key): Promise<Value> {
    const entry: Entry<Value> = { until: within(clock, keepMs) };
    entry.loading = load(key).then(
      (value) => {
        if (value === undefined && entries.get(key) === entry) entries.delete(key); // nothing is not worth keeping
        entry.value = value;
        delete entry.loading;
        return value;
      },
      (error: unknown) => {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      },
    );
    if (entries.size >= MOST_ENTRIES) entries.clear();
    entries.set(key, entry);
    return entry.loading;
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined || entry.until <= clock.ticks()) return begin(key);
      // Without a loading promise the value has arrived, even where the type cannot tell.
      return entry.loading ?? (entry.value as Value);
    },
    forget(which) {
      // What is still loading may have been read before the change, so it goes whatever it is.
      for (const [key, entry] of entries) if (entry.loading || which(key, entry.value)) entries.delete(key);
    },
  };
}
