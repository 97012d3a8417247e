// Clears up once a test file is over, whoever asks and whenever: Vitest does not hear an `afterAll` inside a `beforeAll`.
// And looks after every test at what helpers have noted. Helpers are used without Vitest, too: its part is in `hooks.ts`.

type Shared = { owedWhenOver?: (() => unknown)[]; looksAfterEach?: (() => void)[] };

const shared = globalThis as Shared;
shared.owedWhenOver ??= [];
shared.looksAfterEach ??= [];
const { owedWhenOver: owed, looksAfterEach: looks } = shared;

/** What was opened last is closed first. */
export function whenOver(act: () => unknown): void {
  owed.push(act);
}

export async function clearUp(): Promise<void> {
  const failures: unknown[] = [];
  for (const act of owed.splice(0).reverse())
    try {
      await act();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

/** After every test of every file, for as long as somebody has imported who asks: it throws if something was wrong. */
export function afterEveryTest(look: () => void): void {
  looks.push(look);
}

export function lookAtAll(): void {
  for (const look of looks) look();
}
