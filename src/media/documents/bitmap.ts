// A page as a fax machine knows it: black points on white paper, A4 wide, in one of two finenesses.

/** Rows of whole bytes, the leftmost point in the highest bit; a set bit is black. */
export type Bitmap = { width: number; height: number; bits: Uint8Array };

/** A page on its way to becoming one: a byte a point, 0 is black. */
export type GreyPage = { width: number; height: number; points: Uint8Array };

export type Fineness = "standard" | "fine";

export const WIDTH = 1728;
/** Points an inch. They are not square: across there are always as many, down it depends. */
export const ACROSS = 204;
export const down: Record<Fineness, number> = { standard: 98, fine: 196 };
/** Of an A4 page. */
export const rows: Record<Fineness, number> = { standard: 1146, fine: 2292 };

export function bytesARow(width: number): number {
  return (width + 7) >> 3;
}

export function isBlack({ width, bits }: Bitmap, x: number, y: number): boolean {
  return ((bits[y * bytesARow(width) + (x >> 3)] ?? 0) & (128 >> (x & 7))) !== 0;
}
