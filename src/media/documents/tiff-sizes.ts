// How large the pages of a stranger's TIFF are on paper: picture libraries tell only one of the two finenesses.

export type TiffSize = { width: number; height: number; across: number; down: number; bitsAPoint: number };

const MOST_PAGES = 2_000;
const ENTRY = 12;
const SHORT = 3;
const RATIONAL = 5;
const CENTIMETRES = 3;

/** Undefined when the file is no TIFF. Pages up to the first that cannot be read. */
export function tiffSizes(file: Buffer): TiffSize[] | undefined {
  const order = file.toString("latin1", 0, 4);
  if (order !== "II*\0" && order !== "MM\0*") return undefined;
  const isLittle = order === "II*\0";
  const short = (at: number) => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const long = (at: number) => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const sizes: TiffSize[] = [];
  const seen = new Set<number>();
  try {
    for (let at = long(4); at !== 0 && !seen.has(at) && sizes.length < MOST_PAGES; ) {
      seen.add(at);
      const fields = new Map<number, number>();
      const end = at + 2 + short(at) * ENTRY;
      for (let entry = at + 2; entry < end; entry += ENTRY) fields.set(short(entry), valueAt(entry));
      sizes.push(sizeOf(fields));
      at = long(end);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // cut off here: what came before it counts
  }
  return sizes;

  function valueAt(entry: number): number {
    const type = short(entry + 2);
    if (type === SHORT) return long(entry + 4) > 2 ? short(long(entry + 8)) : short(entry + 8);
    const value = long(entry + 8);
    return type === RATIONAL ? long(value) / Math.max(1, long(value + 4)) : value;
  }
}

function sizeOf(fields: Map<number, number>): TiffSize {
  const unit = fields.get(296) === CENTIMETRES ? 2.54 : 1;
  return {
    width: fields.get(256) ?? 0,
    height: fields.get(257) ?? 0,
    across: (fields.get(282) ?? 0) * unit,
    down: (fields.get(283) ?? 0) * unit,
    bitsAPoint: fields.get(258) ?? 1,
  };
}
