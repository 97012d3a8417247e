// Every binding, in memory, by extension: what calls look up and the clock sweeps.

import type { Binding } from "./binding.ts";

export type Bindings = {
  of(extensionId: number): readonly Binding[];
  set(extensionId: number, bindings: Binding[]): void;
  /** Takes out and returns what has expired. */
  sweep(nowMs: number): Binding[];
  all(): Iterable<readonly Binding[]>;
  count(): { extensions: number; contacts: number };
};

const NONE: readonly Binding[] = [];

export function emptyBindings(): Bindings {
  const byExtension = new Map<number, Binding[]>();
  return {
    of: (extensionId) => byExtension.get(extensionId) ?? NONE,
    set(extensionId, bindings) {
      if (bindings.length > 0) byExtension.set(extensionId, bindings);
      else byExtension.delete(extensionId);
    },
    sweep(nowMs) {
      const expired: Binding[] = [];
      for (const [extensionId, bindings] of byExtension) {
        if (bindings.every(({ expiresAtMs }) => expiresAtMs > nowMs)) continue;
        expired.push(...bindings.filter(({ expiresAtMs }) => expiresAtMs <= nowMs));
        this.set(
          extensionId,
          bindings.filter(({ expiresAtMs }) => expiresAtMs > nowMs),
        );
      }
      return expired;
    },
    all: () => byExtension.values(),
    count() {
      let contacts = 0;
      for (const bindings of byExtension.values()) contacts += bindings.length;
      return { extensions: byExtension.size, contacts };
    },
  };
}
