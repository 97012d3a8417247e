// A PDF rendered as a reader would see it, held against the pages that were drawn.

import { PDFiumLibrary } from "@hyzyla/pdfium";
import { type DrawnPage, PAGE_WIDTH } from "./drawn-pages.ts";

/** What is above belongs to the header. */
export const HEADER_ROWS = 60;

/** Points that differ between a PDF, rendered at its own size, and the pages, below the header. */
export async function renderedDifferences(pdf: Buffer, pages: DrawnPage[]): Promise<number[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const wrong: number[] = [];
  for (const [place, page] of pages.entries()) {
    const drawn = document.getPage(place);
    const { data } = await drawn.render({
      width: PAGE_WIDTH,
      height: page.rows,
      colorSpace: "Gray",
      render: async ({ data }) => data,
    });
    let differ = 0;
    for (let y = HEADER_ROWS; y < page.rows; y++)
      for (let x = 0; x < PAGE_WIDTH; x++) {
        const isBlack = (page.bits[y * (PAGE_WIDTH / 8) + (x >> 3)]! & (128 >> (x & 7))) !== 0; // inside the page
        if (data[y * PAGE_WIDTH + x]! < 128 !== isBlack) differ++;
      }
    wrong.push(differ);
  }
  document.destroy();
  library.destroy();
  return wrong;
}
