// A file of contacts, read in a thread of its own.

import { apart, type Readers, type Reading, ReadingFailed, type Task } from "../readers/task.ts";
import { SourceFailed, type SourceFailure } from "./failure.ts";
import { type ContactFile, rowsOf } from "./file-pieces.ts";
import type { FileRow, TakenColumn } from "./file-rows.ts";

type Given = { bytes: Uint8Array; contentType: string; columns: readonly string[] };
export type ContactRows = { rows: FileRow[]; columns: readonly TakenColumn[] };
type Piece = ContactRows | { failed: SourceFailure };

const MOST_ROWS_AT_ONCE = 100;

export const readContactFile: Task<Given, Piece> = {
  name: "contacts",
  async *read({ bytes, contentType, columns: said }) {
    const file = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType, memory: {} };
    try {
      for await (const { rows, reader } of rowsOf(file, said))
        for (let at = 0; at === 0 || at < rows.length; at += MOST_ROWS_AT_ONCE)
          yield { rows: rows.slice(at, at + MOST_ROWS_AT_ONCE), columns: reader.columns() };
    } catch (error) {
      if (!(error instanceof SourceFailed)) throw error;
      yield { failed: error.failure };
    }
  },
};

/** As `rowsOf`, elsewhere. */
export async function* rowsApart(
  readers: Readers,
  { bytes: file, contentType }: ContactFile,
  { columns, ...how }: { columns: readonly string[] } & Omit<Reading, "transfer">,
): AsyncGenerator<ContactRows> {
  const bytes = apart(file);
  try {
    const pieces = readers.read(readContactFile, { bytes, contentType, columns }, { ...how, transfer: [bytes.buffer] });
    for await (const piece of pieces) {
      if ("failed" in piece) throw new SourceFailed(piece.failed.kind, piece.failed.about);
      yield piece;
    }
  } catch (error) {
    throw error instanceof ReadingFailed && error.why === "too-much" ? new SourceFailed("too-long") : error;
  }
}
