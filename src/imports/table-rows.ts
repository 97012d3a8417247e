// The rows of a file that somebody brings: CSV in whatever code, or the first sheet of a workbook.

import { textIn } from "../contacts/file-rows.ts";
import { csvReader, separatorOf } from "../contacts/table.ts";
import { tidyText } from "../contacts/tidy-text.ts";
import { phoneNumber } from "../exchange/plan/numbers.ts";
import { turn } from "../in-turns.ts";
import { BadWorkbook, isWorkbook, type NumberedRow, workbookRows } from "./workbook.ts";

const MOST_ROWS = 200_000;
const LONGEST_HEADING = 100;

/** Why a file cannot be read, or not to its end. */
export type FileFailure = "unreadable" | "too-large" | "empty" | "cut-off" | "too-many";

export class FileFailed extends Error {
  readonly why: FileFailure;

  constructor(why: FileFailure) {
    super(why);
    this.why = why;
  }
}

/** `heading` is made of places where the file has none: a bare list of numbers. */
export type Opened = { heading: string[]; portions: AsyncGenerator<NumberedRow[]> };

export async function openTable(bytes: Buffer): Promise<Opened> {
  const all = isWorkbook(bytes) ? workbookPortions(bytes) : csvPortions(bytes);
  const first = await all.next();
  const [head, ...more] = first.done ? [] : first.value;
  if (!head) throw new FileFailed("empty");
  const isHeading = !head.cells.some((it) => /\d{7}/.test(it.replace(/\D/g, "")) && phoneNumber(it) !== undefined);
  const heading = head.cells.map((it, index) => (isHeading && it ? it.slice(0, LONGEST_HEADING) : String(index + 1)));
  return { heading, portions: counted(isHeading ? more : [head, ...more], all) };
}

/** Others have their turn after each portion, and a file without an end has one. */
async function* counted(first: NumberedRow[], rest: AsyncGenerator<NumberedRow[]>): AsyncGenerator<NumberedRow[]> {
  let count = first.length;
  yield first;
  for await (const rows of rest) {
    count += rows.length;
    if (count > MOST_ROWS) throw new FileFailed("too-many");
    yield rows;
    await turn();
  }
}

async function* workbookPortions(bytes: Buffer): AsyncGenerator<NumberedRow[]> {
  try {
    for await (const rows of workbookRows(bytes))
      yield rows.map(({ row, cells }) => ({ row, cells: cells.map(tidyText) }));
  } catch (error) {
    throw error instanceof BadWorkbook ? new FileFailed(error.why) : error;
  }
}

/** The first piece decides what stands between cells; Excel may say so on a line of its own. */
async function* csvPortions(bytes: Buffer): AsyncGenerator<NumberedRow[]> {
  let csv: ReturnType<typeof csvReader> | undefined;
  let row = 0;
  const numbered = (rows: string[][]) => rows.map((cells) => ({ row: ++row, cells: cells.map(tidyText) }));
  for (const piece of textIn(bytes, "")) {
    if (piece.includes("\u0000")) throw new FileFailed("unreadable");
    let text = piece;
    if (!csv) {
      if (piece === "") continue;
      const [line = "", said] = /^\uFEFF?sep=([,;\t|])\r?\n/i.exec(piece) ?? [];
      text = piece.slice(line.length).replace(/^\uFEFF/, "");
      csv = csvReader(said ?? separatorOf(text.split(/\r?\n|\r/, 1)[0] ?? ""));
    }
    const rows = numbered(csv.read(text));
    if (rows.length > 0) yield rows;
  }
  const last = numbered(csv?.read("\n") ?? []);
  if (last.length > 0) yield last;
  if (csv && !csv.isWhole()) throw new FileFailed("cut-off");
}
