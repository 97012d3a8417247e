// Which data coding a text travels in and how many parts the customer pays for: the length table and its rules.

import {
  canWrite,
  DOUBLE_COUNTED,
  defaultAlphabet,
  TURKISH_LETTERS,
  turkishLocking,
  turkishSingle,
} from "./alphabet.ts";

export type DataCoding = 0 | 1 | 2;

export type Counted = { coding: DataCoding; text: string; units: number; size: number };

export type CodingRefusal = { refused: "INVALID_DATACODING" | "MESSAGE_TOO_LONG" | "MISSING_MESSAGE" };

const MOST_PARTS = 7;

/** What one part holds alone, and what each holds when there are several. */
const CAPACITY: { [Coding in DataCoding]: { alone: number; each: number } } = {
  0: { alone: 160, each: 153 },
  1: { alone: 155, each: 149 },
  2: { alone: 70, each: 67 },
};

/** Far more than seven parts hold, whatever is folded in it: nobody has to count such a text. */
export const LONGEST_WRITTEN = 10_000;

export const isTooLong = (written: string): boolean => written.length > LONGEST_WRITTEN;

type Wanted = { coding: DataCoding | undefined; abroad: boolean };

export function countMessage(written: string, wanted: Wanted): Counted | CodingRefusal {
  if (written.trim() === "") return { refused: "MISSING_MESSAGE" };
  if (isTooLong(written)) return { refused: "MESSAGE_TOO_LONG" };
  // Some systems write "ş" as an "s" and a mark; together they are one letter of the alphabet.
  const text = written.normalize("NFC");
  const chosen =
    wanted.coding === undefined ? chooseCoding(text, wanted.abroad) : obeyCoding(text, wanted.coding, wanted.abroad);
  if ("refused" in chosen) return chosen;
  const units = countUnits(chosen.text, chosen.coding);
  const size = partsFor(units, chosen.coding);
  return size > MOST_PARTS ? { refused: "MESSAGE_TOO_LONG" } : { ...chosen, units, size };
}

function partsFor(units: number, coding: DataCoding): number {
  const { alone, each } = CAPACITY[coding];
  return units <= alone ? 1 : Math.ceil(units / each);
}

function countUnits(text: string, coding: DataCoding): number {
  if (coding === 2) return text.length;
  let units = 0;
  for (const character of text) units += DOUBLE_COUNTED.has(character) ? 2 : 1;
  return units;
}

type Chosen = { coding: DataCoding; text: string };

/** National tables are for handsets of the country: abroad Turkish letters go as Unicode rather than be mangled. */
function chooseCoding(text: string, abroad: boolean): Chosen {
  if (canWrite(text, defaultAlphabet)) return { coding: 0, text };
  if (!abroad && fitsTurkish(text)) return { coding: 1, text };
  return { coding: 2, text };
}

/**
 * A client that insists on a 7-bit coding gets its text with foreign marks folded to what the alphabet has ("Ş" as "S",
 * a curly quote as a straight one): many send "0" with every text. What cannot be folded is refused, not blotted out.
 */
function obeyCoding(text: string, coding: DataCoding, abroad: boolean): Chosen | CodingRefusal {
  if (coding === 2) return { coding, text };
  if (coding === 1 && abroad) return { refused: "INVALID_DATACODING" };
  const folded = foldInto(text, coding);
  return folded === undefined ? { refused: "INVALID_DATACODING" } : { coding, text: folded };
}

function fitsTurkish(text: string): boolean {
  return canWrite(text, turkishLocking) || canWrite(text, turkishSingle);
}

function foldInto(text: string, coding: 0 | 1): string | undefined {
  let folded = "";
  for (const character of text) {
    if (defaultAlphabet.septetsOf.has(character) || (coding === 1 && TURKISH_LETTERS.has(character)))
      folded += character;
    else {
      const plain = foldCharacter(character);
      if (plain === undefined) return undefined;
      folded += plain;
    }
  }
  return folded;
}

const FOLDED: Readonly<Record<string, string>> = {
  ı: "i",
  İ: "I",
  "\t": " ",
  "\u00a0": " ",
  "\u200b": "",
  "\ufeff": "",
  "‘": "'",
  "’": "'",
  "‚": "'",
  "´": "'",
  "`": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "–": "-",
  "—": "-",
  "•": "*",
  "…": "...",
  "₺": "TL",
  "™": "TM",
};

function foldCharacter(character: string): string | undefined {
  const known = FOLDED[character];
  if (known !== undefined) return known;
  const base = character.normalize("NFD").replace(/\p{M}+/gu, "");
  return base !== "" && base !== character && canWrite(base, defaultAlphabet) ? base : undefined;
}
