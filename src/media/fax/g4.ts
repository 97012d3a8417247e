// Black-and-white rows as CCITT group 4 (ITU-T T.6); and pages that get rows on top without being decoded.

import { BitWriter } from "./bits.ts";
import { type Code, END_OF_LINE, HORIZONTAL, longestRuns, longRuns, PASS, shortRuns, vertical } from "./t4-codes.ts";

/** One bit a point, 1 is black, the leftmost in the highest place; each row begins with a new octet. */
export type Bitmap = { width: number; rows: number; bits: Uint8Array };

export function encodeG4(page: Bitmap): Uint8Array {
  const into = new BitWriter();
  encodeRows(page, into);
  end(into);
  return into.finish();
}

/**
 * Puts rows on top of a page that is coded already; the last of them must be white, since the page's first row is
 * told by its difference to a white one. They take the place of as many white rows where the page has them at its top,
 * so that it keeps its length. Says how many rows the page has grown.
 */
export function putOnTop(top: Bitmap, g4: Uint8Array): { g4: Uint8Array; grownBy: number } {
  const into = new BitWriter();
  encodeRows(top, into);
  // A white row below a white one is a single 1.
  const isBlank = leadingOnes(g4) >= top.rows;
  into.append(g4, isBlank ? top.rows : 0);
  return { g4: into.finish(), grownBy: isBlank ? 0 : top.rows };
}

function leadingOnes(octets: Uint8Array): number {
  const place = octets.findIndex((octet) => octet !== 0xff);
  if (place < 0) return octets.length * 8;
  return place * 8 + Math.clz32(~(octets[place]! << 24)); // found just now
}

function encodeRows({ width, rows, bits }: Bitmap, into: BitWriter): void {
  const stride = (width + 7) >> 3;
  let above = new Int32Array(width + 4).fill(width);
  let edges = new Int32Array(width + 4);
  for (let row = 0; row < rows; row++) {
    findEdges(bits.subarray(row * stride, (row + 1) * stride), width, edges);
    encodeRow(edges, above, width, into);
    [above, edges] = [edges, above];
  }
}

/** Where the colour changes, beginning with the first black point; the width stands behind the last. */
function findEdges(row: Uint8Array, width: number, edges: Int32Array): void {
  let found = 0;
  let colour = 0;
  for (const [place, octet] of row.entries()) {
    if (octet === (colour ? 0xff : 0)) continue;
    for (let bit = 0; bit < 8; bit++) {
      const x = place * 8 + bit;
      if (((octet >> (7 - bit)) & 1) === colour || x >= width) continue;
      edges[found++] = x;
      colour ^= 1;
    }
  }
  edges.fill(width, found, found + 4);
}

// The `!`: both lists end in several widths, and no place beyond the first of those is looked at twice.
function encodeRow(edges: Int32Array, above: Int32Array, width: number, into: BitWriter): void {
  let here = 0;
  let colour = 0;
  let next = 0;
  let near = 0;
  let isStart = true;
  while (here < width) {
    // The first edge above that lies to the right and changes to the other colour.
    while (near > 0 && above[near - 1]! > here) near -= 1;
    while (above[near]! < width && (above[near]! < here || (above[near] === here && !isStart))) near += 1;
    if ((near & 1) !== colour && above[near]! < width) near += 1;
    while (edges[next]! < width && (edges[next]! < here || (edges[next] === here && !isStart))) next += 1;
    const edge = edges[next]!;
    const straight = above[near]!;
    const afterwards = straight < width ? above[near + 1]! : width;
    if (afterwards < edge) {
      put(into, PASS);
      here = afterwards;
    } else if (Math.abs(edge - straight) <= 3) {
      put(into, vertical[edge - straight + 3]!);
      here = edge;
      colour ^= 1;
    } else {
      const second = edge < width ? edges[next + 1]! : width;
      put(into, HORIZONTAL);
      putRun(into, edge - here, colour);
      putRun(into, second - edge, colour ^ 1);
      here = second;
    }
    isStart = false;
  }
}

function putRun(into: BitWriter, length: number, colour: number): void {
  const name = colour === 0 ? "white" : "black";
  let rest = length;
  for (; rest >= 2560 + 64; rest -= 2560) put(into, longestRuns[12]!);
  if (rest >= 1792) put(into, longestRuns[(rest - 1792) >> 6]!);
  else if (rest >= 64) put(into, longRuns[name][(rest >> 6) - 1]!);
  put(into, shortRuns[name][rest & 63]!);
}

function end(into: BitWriter): void {
  put(into, END_OF_LINE);
  put(into, END_OF_LINE);
}

function put(into: BitWriter, { value, bits }: Code): void {
  into.put(value, bits);
}
