// The rows of a table as they arrive, some at a time.

import type { Cell } from "./cell.ts";

/** The first row of the first is the heading. */
export type Portions = AsyncIterable<Cell[][]>;

/** The first of them: a sheet that has more is refused by spreadsheets. */
export async function* upTo(most: number, portions: Portions): AsyncGenerator<Cell[][]> {
  let left = most;
  for await (const rows of portions) {
    yield rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}

export async function* inOnePortion(rows: Iterable<Cell[]>): AsyncGenerator<Cell[][]> {
  yield [...rows];
}
