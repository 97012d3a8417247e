// Pictures of pages that somebody looks at: drawn when they are asked for, and kept for a while, the latest first.

import type { NoTurn } from "../../../fair-turns.ts";

export type KeptFax = { exchangeId: number; objectKey: string };

/** Undefined: there is no such page. */
export type DrawPage = (kept: KeptFax, page: number) => Promise<Buffer | NoTurn | undefined>;

const MEBIBYTE = 1024 ** 2;

/** Who turns pages back and forth, or asks for one twice at once, has each drawn once. */
export function keepingPictures(draw: DrawPage, mostBytes = 32 * MEBIBYTE): DrawPage {
  const kept = new Map<string, Buffer>(); // in the order in which they were looked at
  const drawn = new Map<string, ReturnType<DrawPage>>();
  let bytes = 0;

  return async (fax, page) => {
    const name = `${page} ${fax.objectKey}`;
    const known = kept.get(name);
    if (known) {
      kept.delete(name);
      kept.set(name, known);
      return known;
    }
    const drawing = drawn.get(name) ?? draw(fax, page).finally(() => drawn.delete(name));
    drawn.set(name, drawing);
    const picture = await drawing;
    if (Buffer.isBuffer(picture) && !kept.has(name) && picture.length <= mostBytes) keep(name, picture);
    return picture;
  };

  function keep(name: string, picture: Buffer): void {
    kept.set(name, picture);
    bytes += picture.length;
    for (const [oldest, { length }] of kept) {
      if (bytes <= mostBytes) return;
      kept.delete(oldest);
      bytes -= length;
    }
  }
}
