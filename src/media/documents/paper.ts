// The paper of a fax machine: A4, in one of two finenesses.

/** A page on its way to black and white: a byte a point, 0 is black. */
export type GreyPage = { width: number; height: number; points: Uint8Array };

export type Fineness = "standard" | "fine";

export const WIDTH = 1728;
/** Points an inch. They are not square: across there are always as many, down it depends. */
export const ACROSS = 204;
export const down: Record<Fineness, number> = { standard: 98, fine: 196 };
/** Of an A4 page. */
export const rows: Record<Fineness, number> = { standard: 1146, fine: 2292 };

export function octetsARow(width: number): number {
  return (width + 7) >> 3;
}
