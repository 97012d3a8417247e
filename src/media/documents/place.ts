// Puts a drawing of any size and shape on a page of fax, whose points are not square: upright, whole, as large as it fits.

import { ACROSS, down, type Fineness, type GreyPage, rows, WIDTH } from "./paper.ts";

/** How large a drawing of this shape becomes on the page; one that lies on its side is turned. */
export type Fit = { isTurned: boolean; width: number; height: number };

const WHITE = 255;

/** `wide` and `high` are lengths on paper, in whatever unit. */
export function fitOnPage({ wide, high }: { wide: number; high: number }, fineness: Fineness): Fit {
  const isTurned = wide > high;
  const [narrow, long] = isTurned ? [high, wide] : [wide, high];
  const inches = { across: WIDTH / ACROSS, down: rows[fineness] / down[fineness] };
  const scale = Math.min(inches.across / narrow, inches.down / long);
  return {
    isTurned,
    width: within(narrow * scale * ACROSS, WIDTH),
    height: within(long * scale * down[fineness], rows[fineness]),
  };
}

/** Centred, at the top. */
export function putOnPage(drawing: GreyPage, fineness: Fineness): GreyPage {
  const height = rows[fineness];
  if (drawing.width === WIDTH && drawing.height === height) return drawing;
  const points = new Uint8Array(WIDTH * height).fill(WHITE);
  const left = (WIDTH - drawing.width) >> 1;
  for (let y = 0; y < drawing.height; y++) {
    const row = drawing.points.subarray(y * drawing.width, (y + 1) * drawing.width);
    points.set(row, y * WIDTH + left);
  }
  return { width: WIDTH, height, points };
}

/** A quarter to the right: what was the left edge is the top. */
export function turned({ width, height, points }: GreyPage): GreyPage {
  const upright = new Uint8Array(points.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) upright[x * height + (height - 1 - y)] = points[y * width + x]!; // as many points
  return { width: height, height: width, points: upright };
}

function within(size: number, most: number): number {
  return Math.max(1, Math.min(most, Math.round(size)));
}
