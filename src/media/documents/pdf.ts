// A fax as PDF: each page's coded strips are taken over as they are, since PDF knows fax's own codings.

import { readTiff, type TiffPage } from "./tiff-pages.ts";

const POINTS_AN_INCH = 72;
/** What a page is taken to be when its file does not say. */
const USUAL = { across: 204, down: 196 };
/** A page of fax is at most so large in inches; a file that claims more is shown at this size. */
const LARGEST_INCHES = 200;

/** Undefined when the file is no fax that we can show. */
export function tiffToPdf(tiff: Buffer, title: string): Buffer | undefined {
  const pages = readTiff(tiff);
  if (!pages?.every(({ compression }) => compression >= 2 && compression <= 4)) return undefined;
  const file = new PdfFile();
  const catalog = file.reserve();
  const tree = file.reserve();
  const kids = pages.map((page) => addPage(file, page, tree));
  file.fill(catalog, `<</Type/Catalog/Pages ${tree} 0 R>>`);
  const list = kids.map((kid) => `${kid} 0 R`).join(" ");
  file.fill(tree, `<</Type/Pages/Count ${kids.length}/Kids[${list}]>>`);
  const about = file.add(`<</Title ${hexText(title)}/Producer(Santral)>>`);
  return file.print({ catalog, about });
}

function addPage(file: PdfFile, page: TiffPage, tree: number): number {
  const width = inPoints(page.width, page.across || USUAL.across);
  const perRow = inPoints(1, page.down || USUAL.down);
  const height = Math.min(page.height * perRow, LARGEST_INCHES * POINTS_AN_INCH);
  const images: string[] = [];
  const drawing: string[] = [];
  let drawn = 0;
  page.strips.forEach((strip, index) => {
    const rows = Math.min(page.rowsAStrip, page.height - drawn);
    if (rows <= 0) return;
    drawn += rows;
    images.push(`/I${index} ${addStrip(file, page, { strip, rows })} 0 R`);
    const bottom = height - drawn * perRow;
    drawing.push(`q ${width.toFixed(3)} 0 0 ${(rows * perRow).toFixed(3)} 0 ${bottom.toFixed(3)} cm /I${index} Do Q`);
  });
  const content = file.addStream("", Buffer.from(drawing.join("\n")));
  const box = `[0 0 ${width.toFixed(3)} ${height.toFixed(3)}]`;
  const resources = `<</XObject<<${images.join("")}>>>>`;
  return file.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox${box}/Contents ${content} 0 R/Resources${resources}>>`);
}

function addStrip(file: PdfFile, page: TiffPage, { strip, rows }: { strip: Buffer; rows: number }): number {
  const { width, compression, t4Options, isBlackZero, isLowestBitFirst } = page;
  const isG4 = compression === 4;
  const isTwoDimensional = compression === 3 && (t4Options & 1) === 1;
  const k = isG4 ? -1 : isTwoDimensional ? 4 : 0;
  const lines = compression === 3 ? "/EndOfLine true" : compression === 2 ? "/EncodedByteAlign true" : "";
  const size = `/Columns ${width}/Rows ${rows}`;
  const coding = `/K ${k}${size}/BlackIs1 ${isBlackZero}${lines}/EndOfBlock ${isG4}/DamagedRowsBeforeError 10000`;
  return file.addStream(
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${rows}/BitsPerComponent 1/ColorSpace/DeviceGray` +
      `/Filter/CCITTFaxDecode/DecodeParms<<${coding}>>`,
    isLowestBitFirst ? reversed(strip) : strip,
  );
}

function inPoints(points: number, anInch: number): number {
  return Math.min((points / anInch) * POINTS_AN_INCH, LARGEST_INCHES * POINTS_AN_INCH);
}

const reversedByte = Uint8Array.from({ length: 256 }, (_, byte) => {
  let turned = 0;
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) turned |= 128 >> bit;
  return turned;
});

function reversed(strip: Buffer): Buffer {
  return Buffer.from(strip.map((byte) => reversedByte[byte]!)); // a row for every byte
}

/** UTF-16 in hexadecimal digits: any letter, and nothing that could end the string early. */
function hexText(text: string): string {
  return `<FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;
}

class PdfFile {
  readonly #objects: Buffer[] = [];

  reserve(): number {
    return this.#objects.push(Buffer.alloc(0));
  }

  fill(id: number, body: string): void {
    this.#objects[id - 1] = Buffer.from(body, "latin1");
  }

  add(body: string): number {
    return this.#objects.push(Buffer.from(body, "latin1"));
  }

  addStream(dictionary: string, bytes: Buffer): number {
    const head = `<<${dictionary}/Length ${bytes.length}>>\nstream\n`;
    return this.#objects.push(Buffer.concat([Buffer.from(head, "latin1"), bytes, Buffer.from("\nendstream")]));
  }

  print({ catalog, about }: { catalog: number; about: number }): Buffer {
    const parts = [Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")];
    let at = parts[0]!.length; // just put there
    const places = this.#objects.map((object, index) => {
      const printed = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
      parts.push(printed);
      at += printed.length;
      return at - printed.length;
    });
    const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
    const size = this.#objects.length + 1;
    const trailer = `trailer\n<</Size ${size}/Root ${catalog} 0 R/Info ${about} 0 R>>\nstartxref\n${at}\n%%EOF\n`;
    parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, "latin1"));
    return Buffer.concat(parts);
  }
}
