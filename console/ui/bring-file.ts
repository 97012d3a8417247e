// A file that is written while it comes: a long one goes straight to the disk where the browser can, others by its memory.

import { sheetRows } from "./sheet-rows.ts";

/** Rows are those of a table; of another file it is not known how many have come. */
export type Come = { bytes: number; rows: number };

type Piece = Uint8Array<ArrayBuffer>;
type Place = { write(piece: Piece): Promise<void> | void; done(): Promise<void> | void; drop(): Promise<void> | void };

type Saving = { write(piece: Piece): Promise<void>; close(): Promise<void>; abort(): Promise<void> };
type Picker = (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<Saving> }>;

/** From so many rows on, whoever wants them is asked where to. */
const LONG = 50_000;

export async function placeFor(name: string, expected: number | undefined): Promise<Place> {
  const { showSaveFilePicker: pick } = window as { showSaveFilePicker?: Picker }; // not every browser has it
  if (!pick || (expected ?? 0) < LONG) return inMemory(name);
  const file = await (await pick({ suggestedName: name })).createWritable();
  return { write: (piece) => file.write(piece), done: () => file.close(), drop: () => file.abort() };
}

function inMemory(name: string): Place {
  const pieces: Piece[] = [];
  return {
    write: (piece) => void pieces.push(piece),
    done: () => save(new Blob(pieces), name),
    drop: () => void pieces.splice(0),
  };
}

type Bringing = { place: Place; signal: AbortSignal; progress(come: Come): void };

/** Whoever stops it leaves no half of a file. */
export async function bring(address: string, { place, signal, progress }: Bringing): Promise<void> {
  try {
    const answer = await fetch(address, { signal });
    if (!answer.ok || !answer.body) throw new Error(`the table was refused: ${answer.status}`);
    const type = answer.headers.get("content-type") ?? "";
    const sheet = type.includes("spreadsheetml") ? sheetRows() : undefined;
    const isCsv = type.startsWith("text/csv");
    const come = { bytes: 0, rows: isCsv ? -1 : 0 }; // the heading is none
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await place.write(value);
      come.bytes += value.length;
      if (isCsv) come.rows += rowsIn(value);
      await sheet?.take(value);
      if (sheet) come.rows = sheet.rows();
      progress({ ...come });
    }
    await place.done();
  } catch (error) {
    await place.drop();
    throw error;
  }
}

/** Each ends with a carriage return, which stands nowhere else: a note of several lines has line feeds alone. */
function rowsIn(piece: Uint8Array): number {
  let rows = 0;
  for (const byte of piece) if (byte === 13) rows += 1;
  return rows;
}

function save(table: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(table);
  link.download = name;
  link.click();
  // After the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
