import { afterAll, expect, test } from "vitest";
import { defaultAlphabet, TURKISH_LETTERS } from "./alphabet.ts";
import { countMessage, type DataCoding } from "./coding.ts";
import { readSegment, segment } from "./segments.ts";

type Row = {
  text: string;
  asked?: DataCoding;
  abroad?: boolean;
  coding?: DataCoding;
  size?: number;
  units?: number;
  sent?: string;
  refused?: string;
};

// The published length table: the most characters each number of parts holds, by data coding.
const LENGTHS: { [Coding in DataCoding]: number[] } = {
  0: [160, 306, 459, 612, 765, 918, 1071],
  1: [155, 298, 447, 596, 745, 894, 1043],
  2: [70, 134, 201, 268, 335, 402, 469],
};
const LETTER: { [Coding in DataCoding]: string } = { 0: "a", 1: "ş", 2: "я" };
const CODINGS: DataCoding[] = [0, 1, 2];
const DOUBLED = [..."^{}\\[]~|€"];

const edges: Row[] = CODINGS.flatMap((coding) => {
  const letter = LETTER[coding];
  const rows = LENGTHS[coding].flatMap((most, place): Row[] => [
    { text: letter.repeat(most), coding, size: place + 1, units: most },
    { text: letter.repeat((LENGTHS[coding][place - 1] ?? 0) + 1), coding, size: place + 1 },
    { text: letter.repeat(most), asked: coding, coding, size: place + 1 },
  ]);
  return [...rows, { text: letter.repeat(LENGTHS[coding][6]! + 1), refused: "MESSAGE_TOO_LONG" }];
});

const doubled: Row[] = DOUBLED.flatMap((sign): Row[] => [
  { text: sign, coding: 0, size: 1, units: 2 },
  { text: `ş${sign}`, coding: 1, size: 1, units: 3 },
  { text: sign, asked: 1, coding: 1, units: 2 },
  { text: sign, asked: 2, coding: 2, units: 1 },
  { text: "a".repeat(158) + sign, coding: 0, size: 1, units: 160 },
  { text: "a".repeat(159) + sign, coding: 0, size: 2, units: 161 },
  { text: `ş${"a".repeat(152)}${sign}`, coding: 1, size: 1, units: 155 },
  { text: `ş${"a".repeat(153)}${sign}`, coding: 1, size: 2, units: 156 },
  { text: sign.repeat(80), coding: 0, size: 1 },
  { text: sign.repeat(81), coding: 0, size: 2 },
  { text: sign.repeat(153), coding: 0, size: 2, units: 306 },
  { text: sign.repeat(154), coding: 0, size: 3, units: 308 },
]);

const FOLDED: Record<string, string> = { Ş: "S", ş: "s", Ğ: "G", ğ: "g", ç: "c", ı: "i", İ: "I" };
const turkish: Row[] = [...TURKISH_LETTERS].flatMap((letter): Row[] => [
  { text: letter, coding: 1, size: 1, units: 1 },
  { text: letter, asked: 0, coding: 0, sent: FOLDED[letter]! },
  { text: letter, asked: 1, coding: 1, sent: letter },
  { text: letter, asked: 2, coding: 2, sent: letter },
  { text: letter, abroad: true, coding: 2, sent: letter },
  { text: letter, asked: 0, abroad: true, coding: 0, sent: FOLDED[letter]! },
  { text: letter, asked: 1, abroad: true, refused: "INVALID_DATACODING" },
  { text: letter + "a".repeat(154), coding: 1, size: 1 },
  { text: letter + "a".repeat(155), coding: 1, size: 2 },
  { text: letter.normalize("NFD"), coding: 1, sent: letter },
]);

const plain: Row[] = [...defaultAlphabet.septetsOf.keys()]
  .filter((character) => character.trim() !== "" && !DOUBLED.includes(character))
  .map((character) => ({ text: character, coding: 0, size: 1, units: 1 }));

const unicode: Row[] = [
  { text: "😀", coding: 2, size: 1, units: 2 },
  { text: "😀".repeat(35), coding: 2, size: 1, units: 70 },
  { text: "😀".repeat(36), coding: 2, size: 2, units: 72 },
  { text: "😀".repeat(67), coding: 2, size: 2, units: 134 },
  { text: "😀".repeat(234), coding: 2, size: 7, units: 468 },
  { text: "😀".repeat(235), refused: "MESSAGE_TOO_LONG" },
  { text: `ş${"😀"}`, coding: 2, units: 3 },
  { text: "👨‍👩‍👧", coding: 2, size: 1, units: 8 },
  { text: "Привет", coding: 2, size: 1 },
  { text: "مرحبا", coding: 2, size: 1 },
  { text: "你好", coding: 2, size: 1 },
  { text: "kâğıt", coding: 2, size: 1 },
  { text: "“alıntı”", coding: 2, size: 1 },
  { text: "5 ₺", coding: 2, size: 1 },
  { text: "a".repeat(70), asked: 2, coding: 2, size: 1 },
  { text: "a".repeat(71), asked: 2, coding: 2, size: 2 },
  { text: "😀", asked: 0, refused: "INVALID_DATACODING" },
  { text: "😀", asked: 1, refused: "INVALID_DATACODING" },
  { text: "Привет", asked: 0, refused: "INVALID_DATACODING" },
];

const folded: Row[] = [
  { text: "Şeker İğde ÇIĞ çöp", asked: 0, coding: 0, sent: "Seker Igde ÇIG cöp" },
  { text: "kâğıt", asked: 0, coding: 0, sent: "kagit" },
  { text: "kâğıt", asked: 1, coding: 1, sent: "kağıt" },
  { text: "“tırnak” – çizgi…", asked: 1, coding: 1, sent: '"tırnak" - çizgi...' },
  { text: "5 ₺", asked: 0, coding: 0, sent: "5 TL" },
  { text: "don’t", asked: 0, coding: 0, sent: "don't" },
  { text: "ÖöÜüÇ", coding: 0, size: 1, units: 5 },
  { text: "satır\nbir", coding: 1, units: 9 },
  { text: "line\nbreak\r\n!", coding: 0, units: 13 },
  { text: "", refused: "MISSING_MESSAGE" },
  { text: " \n ", refused: "MISSING_MESSAGE" },
  { text: "ş è", coding: 1, units: 3 },
  { text: "è", asked: 1, coding: 1, units: 1 },
  { text: "a".repeat(155), asked: 1, coding: 1, size: 1 },
  { text: "a".repeat(156), asked: 1, coding: 1, size: 2 },
  {
    text: "Sayın müşterimiz, randevunuz 15.11.2026 saat 10:30 için onaylanmıştır. Sağlıklı günler dileriz.",
    coding: 1,
    size: 1,
  },
];

const rows = [...edges, ...doubled, ...turkish, ...plain, ...unicode, ...folded];

test("every text of the table is coded, counted and folded as the table says", () => {
  for (const { text, asked, abroad = false, ...expected } of rows) {
    const counted = countMessage(text, { coding: asked, abroad });
    const got = "refused" in counted ? counted : { ...counted, sent: counted.text };
    expect(got, JSON.stringify({ text: text.slice(0, 40), length: text.length, asked, abroad })).toMatchObject(
      expected,
    );
  }
  expect(rows.length).toBeGreaterThanOrEqual(200);
});

test("every text arrives on the phone as it was written, in parts of at most 140 octets", () => {
  for (const { text, asked, abroad = false } of rows) {
    const counted = countMessage(text, { coding: asked, abroad });
    if ("refused" in counted) continue;
    const { unicode, segments } = segment(counted.text, counted.coding, 42);
    expect(segments.map((part) => readSegment(part, unicode)).join("")).toBe(counted.text);
    for (const { header, body } of segments)
      expect(header.length + (unicode ? body.length : (body.length * 7) / 8)).toBeLessThanOrEqual(140);
  }
});

test("an ordinary text takes as many parts on the air as it is billed for", () => {
  for (const coding of CODINGS)
    for (const [place, most] of LENGTHS[coding].entries())
      expect(segment(LETTER[coding].repeat(most), coding, 1).segments.length).toBe(place + 1);
});

test("a Turkish text says in its header which table it is written with", () => {
  expect([...segment("ş", 1, 7).segments[0]!.header]).toEqual([3, 0x25, 1, 1]);
  expect([...segment("ş", 1, 7).segments[0]!.body]).toEqual([0x1d]);
  expect([...segment("şè", 1, 7).segments[0]!.header]).toEqual([3, 0x24, 1, 1]);
  expect([...segment("şè", 1, 7).segments[0]!.body]).toEqual([0x1b, 0x73, 0x04]);
  const [first, second] = segment("ş".repeat(156), 1, 7).segments;
  expect([...first!.header]).toEqual([8, 0, 3, 7, 2, 1, 0x25, 1, 1]);
  expect([...second!.header]).toEqual([8, 0, 3, 7, 2, 2, 0x25, 1, 1]);
});

test("an escape and its character, and the halves of an emoji, stay in one part", () => {
  const euros = segment("€".repeat(153), 0, 1).segments;
  expect(euros.every(({ body }) => body.length % 2 === 0)).toBe(true);
  const faces = segment("😀".repeat(67), 2, 1).segments;
  expect(faces.every(({ body }) => body.length % 4 === 0)).toBe(true);
});

afterAll(() => console.log(`coding and segments: ${rows.length} texts`));
