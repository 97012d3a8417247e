// Clears up once a test file is over, whoever asks and whenever: Vitest does not hear an `afterAll` inside a `beforeAll`.

import { afterAll } from "vitest";

const owed: (() => unknown)[] = [];

// This runs while the file is being collected, which is when Vitest listens.
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
