// Writes a page in ITU-T T.6 ("Group 4"): each row by where its colours change, compared with the row above.

import { type Bitmap, bytesARow } from "./bitmap.ts";
import { besideModes, type Code, endings, endOfLine, longRuns, passMode, runMode, sixtyFours } from "./g4-codes.ts";

const LONGEST_RUN = 2560;
const FIRST_LONG_RUN = 1792;

/** The highest bit of a byte is the leftmost. */
export function encodeG4(page: Bitmap): Uint8Array {
  const paper = new BitWriter();
  const { width, height } = page;
  let above = whiteRow(width);
  let row = whiteRow(width);
  for (let y = 0; y < height; y++) {
    findChanges(page, y, row);
    writeRow(paper, { row, above, width });
    [above, row] = [row, above];
  }
  paper.put(endOfLine);
  paper.put(endOfLine);
  return paper.end();
}

/** Places where the colour changes, the first to black, and the end of the row three times: nobody looks further. */
type Changes = Int32Array;

function whiteRow(width: number): Changes {
  return new Int32Array(width + 4).fill(width, 0, 4);
}

function findChanges({ width, bits }: Bitmap, y: number, into: Changes): void {
  const stride = bytesARow(width);
  let found = 0;
  let colour = 0;
  for (let i = 0; i < stride; i++) {
    const byte = bits[y * stride + i]!; // the loop ends with the row
    if (byte === (colour === 1 ? 255 : 0)) continue;
    for (let bit = 0; bit < 8 && i * 8 + bit < width; bit++) {
      const point = (byte >> (7 - bit)) & 1;
      if (point === colour) continue;
      into[found++] = i * 8 + bit;
      colour = point;
    }
  }
  into.fill(width, found, found + 3);
}

/** T.6 section 2.2.4, with its own letters: a0 is where we are, a1 and a2 our next changes, b1 and b2 those above. */
function writeRow(paper: BitWriter, { row, above, width }: { row: Changes; above: Changes; width: number }): void {
  let a0 = -1;
  let colour: 0 | 1 = 0;
  let own = 0;
  let upper = 0;
  while (a0 < width) {
    upper = changeAfter(above, { from: upper, a0, colour, width });
    const b1 = above[upper]!; // every index stays below the three ends of the row
    const b2 = b1 < width ? above[upper + 1]! : width;
    own = changeAfter(row, { from: own, a0, colour, width });
    const a1 = row[own]!;
    const beside = a1 - b1;
    if (b2 < a1) {
      paper.put(passMode);
      a0 = b2;
    } else if (beside >= -3 && beside <= 3) {
      paper.put(besideModes[beside + 3]!);
      a0 = a1;
      colour = colour === 0 ? 1 : 0;
    } else {
      const a2 = a1 < width ? row[own + 1]! : width;
      paper.put(runMode);
      writeRun(paper, a1 - Math.max(a0, 0), colour);
      writeRun(paper, a2 - a1, colour === 0 ? 1 : 0);
      a0 = a2;
    }
  }
}

/** The first change right of a0 to the colour that we do not have now. Changes to black stand at even places. */
function changeAfter(
  changes: Changes,
  { from, a0, colour, width }: { from: number; a0: number; colour: 0 | 1; width: number },
): number {
  let at = from;
  while (at > 0 && changes[at - 1]! > a0) at--;
  while (changes[at]! <= a0 && changes[at]! < width) at++;
  return (at & 1) !== colour && changes[at]! < width ? at + 1 : at;
}

function writeRun(paper: BitWriter, run: number, colour: 0 | 1): void {
  let left = run;
  for (; left >= LONGEST_RUN; left -= LONGEST_RUN) paper.put(longRuns.at(-1)!);
  if (left >= FIRST_LONG_RUN) paper.put(longRuns[(left - FIRST_LONG_RUN) >> 6]!);
  else if (left >= 64) paper.put(sixtyFours[colour][(left >> 6) - 1]!);
  paper.put(endings[colour][left & 63]!);
}

class BitWriter {
  #bytes = new Uint8Array(65_536);
  #used = 0;
  #waiting = 0;
  #waitingBits = 0;

  put([bits, length]: Code): void {
    this.#waiting = (this.#waiting << length) | bits;
    this.#waitingBits += length;
    while (this.#waitingBits >= 8) {
      this.#waitingBits -= 8;
      if (this.#used === this.#bytes.length) this.#grow();
      this.#bytes[this.#used++] = (this.#waiting >>> this.#waitingBits) & 255;
    }
    this.#waiting &= (1 << this.#waitingBits) - 1;
  }

  end(): Uint8Array {
    if (this.#waitingBits > 0) this.put([0, 8 - this.#waitingBits]);
    return this.#bytes.slice(0, this.#used);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
