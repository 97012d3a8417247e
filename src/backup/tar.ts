// The archive format of backups: tar (ustar), written and read as a stream, one entry at a time.

export type Entry = { name: string; size: number; content: AsyncIterable<Buffer> };

const BLOCK = 512;
const LONGEST_NAME = 100;
const LONGEST_PREFIX = 155;
const ZEROS = Buffer.alloc(BLOCK);

export function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const { prefix, rest } = splitName(name);
  block.write(rest, 0);
  block.write("0000600\0", 100);
  block.write("0000000\0", 108);
  block.write("0000000\0", 116);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        ", 148); // counts as blanks in the sum over itself
  block.write("0", 156);
  block.write("ustar\x0000", 257);
  block.write(prefix, 345);
  block.write(`${sumOf(block).toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

export function padding(size: number): Buffer {
  return ZEROS.subarray(0, (BLOCK - (size % BLOCK)) % BLOCK);
}

export const endOfArchive: Buffer = Buffer.alloc(2 * BLOCK);

/** Entries in order. The content of one must be read before the next is asked for; what is left unread is skipped. */
export async function* readEntries(archive: AsyncIterable<Buffer>): AsyncGenerator<Entry, "whole" | "cut off"> {
  const reader = new Reader(archive);
  for (;;) {
    const block = await reader.take(BLOCK);
    if (!block) return "cut off";
    if (block.equals(ZEROS)) return "whole";
    const entry = readHeader(block);
    if (!entry) return "cut off";
    const content = reader.pieces(entry.size);
    yield { ...entry, content };
    for await (const _ of content); // whatever the caller left
    if (!(await reader.take(padding(entry.size).length))) return "cut off";
  }
}

function readHeader(block: Buffer): { name: string; size: number } | undefined {
  const text = (from: number, length: number) => block.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  const summed = Buffer.from(block);
  summed.write("        ", 148);
  if (Number.parseInt(text(148, 8), 8) !== sumOf(summed)) return undefined;
  const prefix = text(345, LONGEST_PREFIX);
  const size = Number.parseInt(text(124, 12), 8);
  return Number.isSafeInteger(size) ? { name: (prefix ? `${prefix}/` : "") + text(0, LONGEST_NAME), size } : undefined;
}

function splitName(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return { prefix: "", rest: name };
  for (let slash = name.indexOf("/"); slash > 0; slash = name.indexOf("/", slash + 1)) {
    const [prefix, rest] = [name.slice(0, slash), name.slice(slash + 1)];
    if (Buffer.byteLength(rest) <= LONGEST_NAME && Buffer.byteLength(prefix) <= LONGEST_PREFIX) return { prefix, rest };
  }
  throw new Error(`too long a name for an archive: ${name}`);
}

function sumOf(block: Buffer): number {
  let sum = 0;
  for (const byte of block) sum += byte;
  return sum;
}

class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(archive: AsyncIterable<Buffer>) {
    this.#chunks = archive[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes; nothing when the archive ends before. */
  async take(size: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for await (const piece of this.pieces(size)) parts.push(piece);
    const whole = Buffer.concat(parts);
    return whole.length === size ? whole : undefined;
  }

  async *pieces(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done) return;
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
}
