// A file of contacts from its beginning to its end, in as many rows at a time as a piece of it has.

import { turn } from "../in-turns.ts";
import { SourceFailed } from "./failure.ts";
import { type FileRow, type RowReader, rowReaderFor, textIn } from "./file-rows.ts";
import { readColumns } from "./headings.ts";

export type ContactFile = { bytes: Buffer; contentType: string; memory: Record<string, string> };

/** All rows, as many at a time as a piece of the file has; throws when it does not end as a file of its kind must. */
export async function* rowsOf(
  { bytes, contentType }: ContactFile,
  columns: readonly string[],
): AsyncGenerator<{ rows: FileRow[]; reader: RowReader }> {
  const said = readColumns(columns);
  if (!said) throw new SourceFailed("bad-columns", columns.join(", "));
  let reader: RowReader | undefined;
  for (const piece of textIn(bytes, contentType)) {
    if (!reader && piece.trim() === "") continue; // whatever stands behind blanks says what it is
    reader ??= rowReaderFor(piece, said);
    if (piece !== "") yield { rows: reader.read(piece), reader };
    await turn();
  }
  if (!reader) throw new SourceFailed("cut-off", "0");
  yield { rows: reader.read(""), reader };
  if (!reader.isWhole()) throw new SourceFailed("cut-off", String(bytes.length));
}
