// Transactions that need the rows of each other: the database undoes one of them, which is then simply done again.

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}

/** Each costs the second after which the database looks for one; whoever meets so many has another trouble. */
const MOST_TIMES = 10;

/** For work that leaves nothing behind when it fails. */
export async function despiteDeadlocks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let time = 1; ; time++)
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || time === MOST_TIMES) throw error;
    }
}
