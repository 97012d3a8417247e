// What tests stand on, for a program that is none: bin/cluster.mjs puts this in the place of Vitest, so that phones,
// servers and carriers of the tests serve here as they are.

import assert from "node:assert/strict";

const owed: (() => unknown)[] = [];

/** Done by `over`, the last first. */
export function afterAll(act: () => unknown): void {
  owed.push(act);
}

/** There are no tests that something could be done after. */
export function afterEach(_act: () => unknown): void {}

/** Nothing is provided here. */
export function inject(name: string): never {
  throw new Error(`${name} is there for tests alone`);
}

/** The few words of it that are used while a world is put together. */
export function expect(found: unknown) {
  return {
    toBe: (wanted: unknown) => assert.equal(found, wanted),
    toEqual: (wanted: unknown) => assert.deepEqual(found, wanted),
    toMatchObject(wanted: Record<string, unknown>) {
      for (const [name, value] of Object.entries(wanted))
        assert.deepEqual((found as Record<string, unknown>)[name], value, JSON.stringify(found));
    },
  };
}

/** Ends whatever was started; one that does not end well hinders no other. */
export async function over(): Promise<void> {
  // Kept: what a module says once, as it is loaded, holds for whatever is started by it later.
  for (const act of [...owed].reverse())
    await Promise.resolve()
      .then(act)
      .catch(() => undefined);
}
