// A fax as PDF: the coded pages are taken over as they are, since PDF knows fax's own coding.

import type { FaxPage } from "../fax/tiff.ts";

const POINTS_AN_INCH = 72;
/** A page of fax is at most so large in inches; a file that claims more is shown at this size. */
const LARGEST_INCHES = 200;

export function printPdf(pages: readonly FaxPage[], title: string): Buffer {
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

function addPage(file: PdfFile, { width, rows, across, down, g4 }: FaxPage, tree: number): number {
  const [wide, high] = [inPoints(width, across), inPoints(rows, down)];
  const coding = `/K -1/Columns ${width}/Rows ${rows}/BlackIs1 false/EndOfBlock true/DamagedRowsBeforeError 10000`;
  const image = file.addStream(
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${rows}/BitsPerComponent 1/ColorSpace/DeviceGray` +
      `/Filter/CCITTFaxDecode/DecodeParms<<${coding}>>`,
    g4,
  );
  const content = file.addStream("", Buffer.from(`q ${wide} 0 0 ${high} 0 0 cm /I Do Q`));
  const resources = `<</XObject<</I ${image} 0 R>>>>`;
  const box = `[0 0 ${wide} ${high}]`;
  return file.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox${box}/Contents ${content} 0 R/Resources${resources}>>`);
}

function inPoints(points: number, anInch: number): string {
  return (Math.min(points / Math.max(1, anInch), LARGEST_INCHES) * POINTS_AN_INCH).toFixed(3);
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

  addStream(dictionary: string, octets: Uint8Array): number {
    const head = `<<${dictionary}/Length ${octets.length}>>\nstream\n`;
    return this.#objects.push(Buffer.concat([Buffer.from(head, "latin1"), octets, Buffer.from("\nendstream")]));
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
