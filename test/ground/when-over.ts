// Clears up once a test file is over, whoever asks and whenever: Vitest does not hear an `afterAll` inside a `beforeAll`.
// And looks after every test at what helpers have noted. This file is set up before every test file, which is when Vitest
// listens; files share what they import, so that a hook of an imported file would be heard in the first of them only.

import { afterAll, afterEach } from "vitest";

type Shared = { owedWhenOver?: (() => unknown)[]; looksAfterEach?: (() => void)[] };

const shared = globalThis as Shared;
shared.owedWhenOver ??= [];
shared.looksAfterEach ??= [];
const { owedWhenOver: owed, looksAfterEach: looks } = shared;

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

afterEach(() => {
  for (const look of looks) look();
});

/** After every test of every file, for as long as somebody has imported who asks: it throws if something was wrong. */
export function afterEveryTest(look: () => void): void {
  looks.push(look);
}
