// Small good files of every kind that somebody may bring: what the zoo spoils.

import { execFileSync } from "node:child_process";
import sharp from "sharp";
import { makePdf, makePicture } from "../fax/made-documents.ts";
import { zip } from "../ground/workbooks.ts";

export type FileKind =
  | ("workbook" | "csv" | "json" | "cards")
  | ("pdf" | "tiff" | "png" | "jpeg" | "text")
  | ("wav" | "mp3" | "ogg");

export type GoodFiles = Record<FileKind, Buffer>;

const PEOPLE = [
  ["05320001122", "Ayşe", "Yılmaz", "Örnek A.Ş."],
  ["0532 000 33 44", "Veli", "Ak", "Müşteri & Ortak"],
  ["+90 533 000 55 66", "Nur", "Su", 'Demir "Çelik"'],
];
const HEADING = ["phone", "name", "surname", "company"];

export async function goodFiles(): Promise<GoodFiles> {
  return {
    workbook: zip(workbookParts()),
    csv: Buffer.from([HEADING, ...PEOPLE].map((row) => row.map(quoted).join(";")).join("\r\n")),
    json: Buffer.from(JSON.stringify({ contacts: PEOPLE.map(record) })),
    cards: Buffer.from(PEOPLE.map(card).join("")),
    pdf: makePdf([{}, { content: "0 0 1 rg 100 100 200 300 re f q 1 0 0 1 50 50 cm 0 0 m 10 10 l S Q" }]),
    tiff: await sharp(await makePicture("png"))
      .toColourspace("b-w")
      .tiff({ compression: "ccittfax4", bitdepth: 1 })
      .toBuffer(),
    png: await makePicture("png", { width: 200, height: 300 }),
    jpeg: await makePicture("jpeg", { width: 200, height: 300 }),
    text: Buffer.from("Sayın müşterimiz,\n\tfaturanız ektedir.\fİkinci sayfa\n"),
    wav: sound("wav", "pcm_s16le"),
    mp3: sound("mp3", "libmp3lame"),
    ogg: sound("ogg", "libvorbis"),
  };
}

/** The files that a workbook is made of. */
export function workbookParts(): Record<string, string> {
  const strings = [...HEADING, ...PEOPLE.flat()].map((text) => `<si><t>${escaped(text)}</t></si>`).join("");
  const rows = [HEADING, ...PEOPLE].map((row, at) => {
    const cells = row.map((_, column) => `<c r="${"ABCD"[column]}${at + 1}" t="s"><v>${at * 4 + column}</v></c>`);
    return `<row r="${at + 1}">${cells.join("")}</row>`;
  });
  return {
    "xl/workbook.xml": '<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/sharedStrings.xml": `<sst>${strings}</sst>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows.join("")}</sheetData></worksheet>`,
  };
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const quoted = (text: string) => (/[";]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function record([phone, name, surname, company]: readonly string[]): object {
  return { phone, name, surname, company, groups: ["a", "b"], more: { left: ["alone"] } };
}

function card([phone, name, surname, company]: readonly string[]): string {
  const lines = [`UID:${phone}`, `N:${surname};${name};;;`, `TEL;TYPE="cell,voice";PREF=1:${phone}`, `ORG:${company}`];
  const note = "NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=41=\r\n=42 and so on";
  return ["BEGIN:VCARD", "VERSION:3.0", ...lines, note, "ADR:;;Cadde 1;İl;;34;TR", "END:VCARD", ""].join("\r\n");
}

/** A second of a tone. */
function sound(format: string, codec: string): Buffer {
  const words = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-c:a", codec, "-f", format, "-"];
  return execFileSync("ffmpeg", ["-nostdin", "-loglevel", "error", ...words]);
}
