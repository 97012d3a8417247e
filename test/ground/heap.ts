// The heap without its garbage, for tests that watch what is let go, and the engine's own classes of the objects in it.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let gc: (() => void) | undefined;

export function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString("--expose-gc");
    gc = runInNewContext("gc") as () => void; // there since the flag was set
  }
  gc();
}

export function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

let isSameShape: ((one: object, other: object) => boolean) | undefined;

/** How many hidden classes they have: code that meets many of objects alike finds their fields by searching each time. */
export function shapesAmong(objects: readonly object[]): number {
  if (!isSameShape) {
    setFlagsFromString("--allow-natives-syntax");
    isSameShape = runInNewContext("(one, other) => %HaveSameMap(one, other)") as typeof isSameShape & object;
  }
  const kinds: object[] = [];
  for (const object of objects) if (!kinds.some((kind) => isSameShape?.(kind, object))) kinds.push(object);
  return kinds.length;
}
