// Draws the pages of a PDF with PDFium, straight in fax's own points.

import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from "@hyzyla/pdfium";
import type { Bitmap } from "../fax/g4.ts";
import { toBitmap } from "./dither.ts";
import { broken, type Drawing, type DrawnPages, tooMany } from "./drawing.ts";
import type { Fineness } from "./paper.ts";
import { fitOnPage, putOnPage, turned } from "./place.ts";

export async function* drawPdf(drawing: Drawing): DrawnPages {
  const library = await PDFiumLibrary.init();
  let document: PDFiumDocument;
  try {
    document = await library.loadDocument(drawing.bytes);
  } catch (error) {
    const refusal = broken(error);
    return /password|security/i.test(String(error)) ? { refused: "encrypted" } : refusal;
  }
  const count = document.getPageCount();
  if (count === 0) return { refused: "empty" };
  if (count > drawing.mostPages) return tooMany(drawing);
  try {
    for (const page of document.pages()) yield await drawPage(page, drawing.fineness);
  } catch (error) {
    return broken(error);
  }
  return undefined;
}

async function drawPage(page: PDFiumPage, fineness: Fineness): Promise<Bitmap> {
  const { originalWidth: wide, originalHeight: high } = page.getOriginalSize();
  const { isTurned, width, height } = fitOnPage({ wide, high }, fineness);
  const wanted = isTurned ? { width: height, height: width } : { width, height };
  const { data } = await page.render({
    ...wanted,
    colorSpace: "Gray",
    renderFormFields: true,
    render: async ({ data }) => data,
  });
  // The library's memory is used again for the next page.
  const drawn = { ...wanted, points: Uint8Array.from(data) };
  return toBitmap(putOnPage(isTurned ? turned(drawn) : drawn, fineness));
}
