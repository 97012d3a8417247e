// Documents for fax tests, made by rule: honest ones, and such as nobody should send.

import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import sharp from "sharp";

export type PdfPage = { wide?: number; high?: number; content?: string };

/** A PDF of plain drawings; `password` locks it with the oldest of PDF's own ciphers. */
export function makePdf(pages: PdfPage[], { password }: { password?: string } = {}): Buffer {
  const objects: string[] = ["", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"];
  const kids = pages.map(({ wide = 595, high = 842, content = "BT /F1 24 Tf 72 700 Td (Fax) Tj ET" }) => {
    objects.push(`<</Length ${content.length}>>\nstream\n${content}\nendstream`);
    const box = `/MediaBox[0 0 ${wide} ${high}]`;
    objects.push(`<</Type/Page/Parent 2 0 R${box}/Contents ${objects.length} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`);
    return `${objects.length} 0 R`;
  });
  objects[0] = "<</Type/Catalog/Pages 2 0 R>>";
  objects[1] = `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(" ")}]>>`;
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const lock = password === undefined ? "" : lockWith(password);
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${lock}>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, "latin1");
}

/** PDF 1.4 section 3.5.2, revision 2: enough for a reader to see that it needs the password. */
function lockWith(password: string): string {
  const id = "00112233445566778899aabbccddeeff";
  const owner = createHash("md5").update(`owner of ${password}`).digest("hex").repeat(2);
  const user = createHash("md5").update(`user of ${password}`).digest("hex").repeat(2);
  return `/Encrypt<</Filter/Standard/V 1/R 2/O<${owner}>/U<${user}>/P -4>>/ID[<${id}><${id}>]`;
}

/** A PNG that says it is this large; its points are all alike, so that the file is small. */
export function makeVastPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const points = deflateSync(Buffer.alloc(Math.min((width + 1) * height, 50_000_000)), { level: 9 });
  const parts = [chunk("IHDR", header), chunk("IDAT", points), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(checksum(named), named.length + 4);
  return whole;
}

function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** A picture whose left half is black and whose right half is white. */
export function makePicture(kind: "png" | "jpeg", { width = 400, height = 600 } = {}): Promise<Buffer> {
  const points = Buffer.alloc(width * height, 255);
  for (let y = 0; y < height; y++) points.fill(0, y * width, y * width + width / 2);
  return sharp(points, { raw: { width, height, channels: 1 } })
    .toFormat(kind)
    .toBuffer();
}
