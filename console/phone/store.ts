// One value that the whole page looks at: changed in one place, told to whoever watches.

import { useEffect, useState } from "preact/hooks";

export type Store<Value> = {
  get(): Value;
  change(change: Partial<Value> | ((value: Value) => Partial<Value>)): void;
  watch(see: (value: Value, before: Value) => void): () => void;
};

export function openStore<Value extends object>(first: Value): Store<Value> {
  let value = first;
  const watchers = new Set<(value: Value, before: Value) => void>();
  return {
    get: () => value,
    change(change) {
      const before = value;
      value = { ...value, ...(typeof change === "function" ? change(value) : change) };
      for (const see of [...watchers]) see(value, before);
    },
    watch(see) {
      watchers.add(see);
      return () => void watchers.delete(see);
    },
  };
}

export function useStore<Value extends object>(store: Store<Value>): Value {
  const [value, see] = useState(store.get);
  useEffect(() => {
    see(store.get());
    return store.watch(see);
  }, [store]);
  return value;
}
