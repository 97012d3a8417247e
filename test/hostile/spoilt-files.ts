// Good files spoilt from a seed: octets turned and cut as in packets, and lies in the places where each kind counts, points
// and opens.

import { zip } from "../ground/workbooks.ts";
import { below, pick, type Random } from "../sip/sip-mutator.ts";
import { type FileKind, type GoodFiles, workbookParts } from "./good-files.ts";
import { openSpoiler } from "./octet-spoiler.ts";

const MOST = 256 * 1024;
const COUNTS = [
  "0",
  "-1",
  "1",
  "7",
  "65536",
  "2147483648",
  "4294967295",
  "99999999999999999999",
  "1e9",
  "",
  "NaN",
  "0x7f",
];
const MARKS = [
  "<",
  ">",
  "]]>",
  "<!--",
  "&#0;",
  "&#9999999;",
  "&x;",
  '"',
  "\u0000",
  "\ufffd",
  "(",
  "]",
  "<<",
  "\\",
  "\r",
  "=",
  ";",
];

type Spoil = (text: string, random: Random) => string;

export function spoiltFile(random: Random, kind: FileKind, good: GoodFiles): Buffer {
  const own = ownWays[kind];
  const bytes = own && random() < 0.6 ? own(good[kind], random) : good[kind];
  if (own && random() < 0.5) return bytes;
  if (random() < 0.1) return Buffer.concat([bytes, bytes]);
  return openSpoiler(random, Object.values(good), MOST)(bytes);
}

/** XML of a server. */
export function spoiltText(text: string, random: Random): string {
  return inText(...[spoilNumber, putMark, dropPart, repeatPart, deepen("<d:prop>", "</d:prop>"), deepen("<", ">")])(
    Buffer.from(text),
    random,
  ).toString("latin1");
}

const inText =
  (...ways: Spoil[]) =>
  (file: Buffer, random: Random): Buffer => {
    let text = file.toString("latin1");
    for (let times = 1 + below(random, 5); times > 0; times--) text = pick(random, ways)(text, random);
    return Buffer.from(text.slice(0, MOST), "latin1");
  };

/** Little-endian and big-endian numbers at places where such files have some. */
function withLies(file: Buffer, random: Random): Buffer {
  const lying = Buffer.from(file);
  for (let times = 1 + below(random, 4); times > 0 && lying.length > 64; times--) {
    const lie = pick(random, [
      0,
      1,
      8,
      255,
      0xffff,
      0x7fffffff,
      0x80000000,
      0xffffffff,
      lying.length,
      below(random, lying.length),
    ]);
    const at = below(random, random() < 0.7 ? 64 : lying.length - 4);
    if (random() < 0.5) lying.writeUInt32LE(lie, at);
    else lying.writeUInt32BE(lie, at);
  }
  return lying;
}

const ownWays: Partial<Record<FileKind, (file: Buffer, random: Random) => Buffer>> = {
  workbook(_file, random) {
    const parts = workbookParts();
    const name = pick(random, Object.keys(parts));
    const spoilt = inText(spoilNumber, putMark, dropPart, deepen("<row>", "</row>"))(Buffer.from(parts[name]!), random);
    return zip({ ...parts, [name]: spoilt.toString("latin1") });
  },
  csv: inText(spoilNumber, putMark, dropPart, repeatPart),
  json: inText(spoilNumber, putMark, dropPart, deepen("[", "]"), deepen('{"a":', "}")),
  cards: inText(spoilNumber, putMark, dropPart, repeatPart, deepen("BEGIN:VCARD\r\n", "END:VCARD\r\n")),
  // Where everything is named by a number, another number is a circle, or nowhere.
  pdf: inText(spoilNumber, turnReference, putMark, dropPart, deepen("[", "]"), deepen("<<", ">>"), deepen("q ", " Q")),
  text: inText(putMark, repeatPart),
  ...{ tiff: withLies, png: withLies, jpeg: withLies, wav: withLies, mp3: withLies, ogg: withLies },
};

function spoilNumber(text: string, random: Random): string {
  return change(text, random, /\d+/g, () => pick(random, COUNTS));
}

function turnReference(text: string, random: Random): string {
  return change(text, random, /\d+ 0 R/g, () => `${below(random, 8)} 0 R`);
}

function putMark(text: string, random: Random): string {
  const at = below(random, text.length + 1);
  return text.slice(0, at) + pick(random, MARKS).repeat(1 + below(random, 3)) + text.slice(at);
}

function dropPart(text: string, random: Random): string {
  const at = below(random, text.length + 1);
  return text.slice(0, at) + text.slice(at + below(random, 40));
}

function repeatPart(text: string, random: Random): string {
  const at = below(random, text.length + 1);
  return (
    text.slice(0, at) + text.slice(at, at + 1 + below(random, 60)).repeat(1 + below(random, 2_000)) + text.slice(at)
  );
}

function deepen(open: string, close: string): Spoil {
  return function deepen(text, random) {
    const at = below(random, text.length + 1);
    const deep = 1 + below(random, 5_000);
    return text.slice(0, at) + open.repeat(deep) + close.repeat(random() < 0.5 ? deep : 0) + text.slice(at);
  };
}

function change(text: string, random: Random, what: RegExp, into: () => string): string {
  const found = [...text.matchAll(what)];
  if (found.length === 0) return text;
  const { index, 0: old } = pick(random, found);
  return text.slice(0, index) + into() + text.slice(index + old.length);
}
