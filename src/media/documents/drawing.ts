// What becomes of a document that shall be faxed: pages, or the reason why not.

import type { Bitmap } from "../fax/g4.ts";
import type { Fineness } from "./paper.ts";

export type DrawingRefusal =
  /** Neither PDF nor PNG, JPEG, TIFF or plain text. */
  | { refused: "unknown-type" }
  | { refused: "encrypted" }
  /** `detail` for the log. */
  | { refused: "broken"; detail: string }
  | { refused: "empty" }
  | { refused: "too-many-pages"; limit: number }
  /** It would have taken more time or memory than a document may. */
  | { refused: "too-much" };

/** One page after the other, so that only one is held at a time. */
export type DrawnPages = AsyncGenerator<Bitmap, DrawingRefusal | undefined>;

export type Drawing = { bytes: Buffer; fineness: Fineness; mostPages: number };

export function tooMany({ mostPages }: Drawing): DrawingRefusal {
  return { refused: "too-many-pages", limit: mostPages };
}

export function broken(error: unknown): DrawingRefusal {
  const detail = error instanceof Error ? error.message : String(error);
  return { refused: "broken", detail: detail.slice(0, 300) };
}
