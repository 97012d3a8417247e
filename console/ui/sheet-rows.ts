// How many rows of a workbook have come while it is still on its way. Its sheet is the last part of the archive
// (src/reports/workbook.ts): what stands behind that part's name is unpacked as it comes.

export type SheetRows = {
  take(piece: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The heading is none. */
  rows(): number;
};

const latin = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const NAME = latin("xl/worksheets/sheet1.xml");
/** What is written into cells holds no such signs. */
const ROW = latin("<row>");

/** Undefined where the browser cannot unpack. */
export function sheetRows(): SheetRows | undefined {
  if (!("DecompressionStream" in globalThis)) return undefined;
  const unpacking = new DecompressionStream("deflate-raw");
  const packed = unpacking.writable.getWriter();
  const name = seek(NAME);
  const row = seek(ROW);
  let isInSheet = false;
  let isOver = false;
  // Behind the sheet stands the directory of the archive, at which unpacking ends.
  const end = () => {
    isOver = true;
  };
  void count(unpacking.readable.getReader(), row.look).catch(end);
  return {
    async take(piece) {
      const from = isInSheet ? 0 : name.look(piece);
      isInSheet ||= name.found() > 0;
      if (isInSheet && !isOver) await packed.write(piece.subarray(from)).catch(end);
    },
    rows: () => Math.max(0, row.found() - 1),
  };
}

async function count(reader: ReadableStreamDefaultReader<Uint8Array>, look: (piece: Uint8Array) => void) {
  for (let read = await reader.read(); !read.done; read = await reader.read()) look(read.value);
}

/** Finds bytes of which none but the first begins them anew, across pieces; `look` says where they were found last in it. */
function seek(wanted: Uint8Array) {
  let matched = 0;
  let found = 0;
  return {
    found: () => found,
    look(piece: Uint8Array): number {
      let behind = 0;
      for (const [at, byte] of piece.entries()) {
        matched = byte === wanted[matched] ? matched + 1 : Number(byte === wanted[0]);
        if (matched < wanted.length) continue;
        matched = 0;
        found += 1;
        behind = at + 1;
      }
      return behind;
    },
  };
}
