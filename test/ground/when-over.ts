// Clears up once a test file is over, whoever asks and whenever: Vitest does not hear an `afterAll` inside a `beforeAll`.
// This file is set up before every test file, which is when Vitest listens; files may share what they import.

import { afterAll } from "vitest";

type Owing = { owedWhenOver?: (() => unknown)[] };

const owed = (globalThis as Owing).owedWhenOver ?? [];
(globalThis as Owing).owedWhenOver = owed;

afterAll(async () => {
  const failures: unknown[] = [];
  for (const act of owed.splice(0).reverse())
    try {
      await act();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
});

/** What was opened last is closed first. */
export function whenOver(act: () => unknown): void {
  owed.push(act);
}
