// Reads the pages of a TIFF that a stranger's machine may have made: sizes, finenesses and the coded strips. Nothing is decoded.

/** Strips as they lie in the file. */
export type TiffPage = {
  width: number;
  height: number;
  /** 2, 3 and 4 are the codings of fax; others are left to a picture library. */
  compression: number;
  isBlackZero: boolean;
  isLowestBitFirst: boolean;
  /** T.4's own options, for compression 3. */
  t4Options: number;
  across: number;
  down: number;
  bitsAPoint: number;
  rowsAStrip: number;
  strips: Buffer[];
};

const MOST_PAGES = 2_000;
const MOST_STRIPS = 20_000;
const CENTIMETRE = 3;
const typeBytes: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 };

/** Undefined when the file is no TIFF, or lies about where things are. Pages before such a lie are kept. */
export function readTiff(file: Buffer): TiffPage[] | undefined {
  const order = file.toString("latin1", 0, 4);
  if (order !== "II*\0" && order !== "MM\0*") return undefined;
  const reader = new Reader(file, order === "II*\0");
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  let at = reader.long(4);
  while (at !== undefined && at !== 0 && !seen.has(at) && pages.length < MOST_PAGES) {
    seen.add(at);
    const directory = readDirectory(reader, at);
    const page = directory && pageOf(reader, directory.fields);
    if (!page) break;
    pages.push(page);
    at = directory.next;
  }
  return pages.length > 0 ? pages : undefined;
}

type Fields = Map<number, number[]>;

function readDirectory(reader: Reader, at: number): { fields: Fields; next: number | undefined } | undefined {
  const count = reader.short(at);
  if (count === undefined) return undefined;
  const fields: Fields = new Map();
  for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
    const tag = reader.short(entry);
    const values = reader.values(entry);
    if (tag !== undefined && values) fields.set(tag, values);
  }
  return { fields, next: reader.long(at + 2 + count * 12) };
}

function pageOf({ file }: Reader, fields: Fields): TiffPage | undefined {
  const one = (tag: number, otherwise: number) => fields.get(tag)?.[0] ?? otherwise;
  const [width, height] = [one(256, 0), one(257, 0)];
  const offsets = fields.get(273) ?? [];
  const lengths = fields.get(279) ?? [];
  const isWhole = offsets.every((offset, index) => offset + (lengths[index] ?? Number.NaN) <= file.length);
  if (width <= 0 || height <= 0 || !isWhole) return undefined;
  const unit = one(296, 2) === CENTIMETRE ? 2.54 : 1;
  return {
    ...{ width, height, compression: one(259, 1), t4Options: one(292, 0), bitsAPoint: one(258, 1) },
    isBlackZero: one(262, 0) === 1,
    isLowestBitFirst: one(266, 1) === 2,
    across: one(282, 0) * unit,
    down: one(283, 0) * unit,
    rowsAStrip: Math.max(1, one(278, height)),
    strips: offsets.map((offset, index) => file.subarray(offset, offset + lengths[index]!)), // checked to be there
  };
}

class Reader {
  readonly file: Buffer;
  readonly #isLittle: boolean;

  constructor(file: Buffer, isLittle: boolean) {
    this.file = file;
    this.#isLittle = isLittle;
  }

  short(at: number): number | undefined {
    if (at + 2 > this.file.length) return undefined;
    return this.#isLittle ? this.file.readUInt16LE(at) : this.file.readUInt16BE(at);
  }

  long(at: number): number | undefined {
    if (at + 4 > this.file.length) return undefined;
    return this.#isLittle ? this.file.readUInt32LE(at) : this.file.readUInt32BE(at);
  }

  /** The values of a directory's entry, wherever they lie; undefined for types we have no use for. */
  values(entry: number): number[] | undefined {
    const [type, count] = [this.short(entry + 2) ?? 0, this.long(entry + 4) ?? 0];
    const size = typeBytes[type];
    if (size === undefined || count > MOST_STRIPS) return undefined;
    const at = size * count <= 4 ? entry + 8 : this.long(entry + 8);
    if (at === undefined || at + size * count > this.file.length) return undefined;
    return Array.from({ length: count }, (_, index) => this.#value(type, at + index * size));
  }

  #value(type: number, at: number): number {
    if (type === 3) return this.short(at) ?? 0;
    if (type === 4) return this.long(at) ?? 0;
    if (type === 5) return (this.long(at) ?? 0) / (this.long(at + 4) || 1);
    return this.file[at] ?? 0;
  }
}
