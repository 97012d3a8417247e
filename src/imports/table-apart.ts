// The rows of a file that somebody brings, read in a thread of its own and handed over in pieces that are soon worked off.

import { apart, type Readers, type Reading, ReadingFailed, type Task } from "../readers/task.ts";
import { FileFailed, type FileFailure, type Opened, openTable } from "./table-rows.ts";
import type { NumberedRow } from "./workbook.ts";

type Piece = { heading: string[] } | { rows: NumberedRow[] } | { failed: FileFailure };

/** Letters that are handed over at once, and in a row: a cell may name the same long text again and again. */
const MOST_LETTERS = 64 * 1024;
const LONGEST_ROW = 100_000;
const MOST_ROWS_AT_ONCE = 200;
/** Of a whole file. */
const MOST_LETTERS_IN_ALL = 512 * 1024 * 1024;

export const readTable: Task<{ bytes: Uint8Array }, Piece> = {
  name: "table",
  async *read({ bytes }) {
    try {
      const { heading, portions } = await openTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      yield { heading };
      let all = 0;
      for await (const rows of portions) {
        let [piece, letters]: [NumberedRow[], number] = [[], 0];
        for (const row of rows) {
          const cut = withinBounds(row);
          piece.push(cut.row);
          letters += cut.letters;
          all += cut.letters;
          if (all > MOST_LETTERS_IN_ALL) throw new FileFailed("too-large");
          if (letters < MOST_LETTERS && piece.length < MOST_ROWS_AT_ONCE) continue;
          yield { rows: piece };
          [piece, letters] = [[], 0];
        }
        if (piece.length > 0) yield { rows: piece };
      }
    } catch (error) {
      if (!(error instanceof FileFailed)) throw error;
      yield { failed: error.why };
    }
  },
};

function withinBounds({ row, cells }: NumberedRow): { row: NumberedRow; letters: number } {
  let left = LONGEST_ROW;
  const kept = cells.map((cell) => {
    const text = cell.slice(0, left);
    left -= text.length;
    return text;
  });
  return { row: { row, cells: kept }, letters: LONGEST_ROW - left };
}

/** As `openTable`, elsewhere. */
export async function openTableApart(readers: Readers, file: Buffer, how: Omit<Reading, "transfer">): Promise<Opened> {
  const bytes = apart(file);
  const pieces = readers.read(readTable, { bytes }, { ...how, transfer: [bytes.buffer] })[Symbol.asyncIterator]();
  try {
    const first = await next(pieces);
    if (!first || !("heading" in first)) throw new FileFailed("empty");
    return { heading: first.heading, portions: rowsOf(pieces) };
  } catch (error) {
    await pieces.return?.(); // its thread is free for the next one
    throw error;
  }
}

async function* rowsOf(pieces: AsyncIterator<Piece>): AsyncGenerator<NumberedRow[]> {
  try {
    for (let piece = await next(pieces); piece; piece = await next(pieces)) if ("rows" in piece) yield piece.rows;
  } finally {
    await pieces.return?.();
  }
}

async function next(pieces: AsyncIterator<Piece>): Promise<Piece | undefined> {
  const { value, done } = await pieces.next().catch((error: unknown) => {
    // Who waits in vain asks again; a job does it by itself.
    throw error instanceof ReadingFailed && error.why === "too-much" ? new FileFailed("too-large") : error;
  });
  if (done) return undefined;
  if ("failed" in value) throw new FileFailed(value.failed);
  return value;
}
