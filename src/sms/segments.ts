// A counted text as the parts that travel: user-data headers (concatenation, national tables) and septets or UCS-2.

import {
  type Alphabet,
  canWrite,
  defaultAlphabet,
  readSeptets,
  turkishBoth,
  turkishLocking,
  turkishSingle,
} from "./alphabet.ts";
import type { DataCoding } from "./coding.ts";

/** `header` includes its own length octet and is empty where none is needed; `body` is one octet a septet, or UCS-2. */
export type Segment = { header: Uint8Array; body: Uint8Array };

export type Segmented = { unicode: boolean; segments: Segment[] };

const OCTETS = 140;
/** Element 0, three octets: reference, how many, which. */
const CONCATENATION_OCTETS = 5;

/**
 * Never cuts an escape from its character nor a surrogate from its pair, because phones decode part by part. A text with
 * such a character on the very edge may so take one part more on the air than the length table bills.
 */
export function segment(text: string, coding: DataCoding, reference: number): Segmented {
  const short = coding === 2 ? undefined : shortSegment(text, alphabetFor(text, coding));
  if (short) return { unicode: false, segments: [short] };
  const carried = coding === 2 ? unicodeUnits(text) : septetUnits(text, alphabetFor(text, coding));
  const groups = divide(carried);
  const segments = groups.map((group, place) => ({
    header: headerOf(carried.shiftElements, { reference, count: groups.length, number: place + 1 }),
    body: carried.toOctets(group),
  }));
  return { unicode: coding === 2, segments };
}

/** Most messages are one part of plain letters; they are written in one pass. */
function shortSegment(text: string, { septetsOf, shiftElements }: Alphabet): Segment | undefined {
  const most = septetsBeside(shiftElements.length > 0 ? 1 + shiftElements.length : 0);
  if (text.length > most) return undefined;
  const body: number[] = [];
  for (const character of text) body.push(...(septetsOf.get(character) ?? BLANK));
  const header = headerOf(shiftElements, { reference: 0, count: 1, number: 1 });
  return body.length <= most ? { header, body: Uint8Array.from(body) } : undefined;
}

function alphabetFor(text: string, coding: 0 | 1): Alphabet {
  if (coding === 0) return defaultAlphabet;
  return canWrite(text, turkishLocking) ? turkishLocking : turkishSingle;
}

/** What a phone shows for one received part: the header says which national tables to read with. */
export function readSegment({ header, body }: Segment, unicode: boolean): string {
  return unicode ? fromUcs2(body) : readSeptets(body, alphabetOf(header));
}

export type Concatenation = { reference: number; count: number; number: number };

/** Walks the information elements of a user-data header. */
export function readHeader(header: Uint8Array): { concatenation?: Concatenation; locking: boolean; single: boolean } {
  const found: { concatenation?: Concatenation; locking: boolean; single: boolean } = { locking: false, single: false };
  let at = 1;
  while (at + 1 < header.length) {
    const element = header[at]!;
    const length = header[at + 1]!;
    const octets = header.subarray(at + 2, at + 2 + length);
    if (element === 0x00 && octets.length === 3)
      found.concatenation = { reference: octets[0]!, count: octets[1]!, number: octets[2]! };
    if (element === 0x08 && octets.length === 4)
      found.concatenation = { reference: octets[0]! * 256 + octets[1]!, count: octets[2]!, number: octets[3]! };
    if (element === 0x24 && octets[0] === 1) found.single = true;
    if (element === 0x25 && octets[0] === 1) found.locking = true;
    at += 2 + length;
  }
  return found;
}

/** For carriers that count parts by TLVs: only the national table is left in the header. */
export function withoutConcatenation(header: Uint8Array): Uint8Array {
  const shift = header.subarray(1 + (readHeader(header).concatenation ? CONCATENATION_OCTETS : 0));
  return shift.length > 0 ? Uint8Array.from([shift.length, ...shift]) : new Uint8Array(0);
}

/** The text undivided, for carriers that cut it themselves. */
export function wholeBody(text: string, coding: DataCoding, first: Segment): Segment {
  const carried = coding === 2 ? unicodeUnits(text) : septetUnits(text, alphabetFor(text, coding));
  return { header: withoutConcatenation(first.header), body: carried.toOctets(carried.characters.flat()) };
}

type Carried = {
  /** One entry a character, each the units that must stay together. */
  characters: readonly (readonly number[])[];
  shiftElements: readonly number[];
  fits(headerOctets: number): number;
  toOctets(units: readonly number[]): Uint8Array;
};

function septetUnits(text: string, { septetsOf, shiftElements }: Alphabet): Carried {
  return {
    characters: Array.from(text, (character) => septetsOf.get(character) ?? BLANK),
    shiftElements,
    fits: septetsBeside,
    toOctets: (units) => Uint8Array.from(units),
  };
}

// The text was counted against its alphabet before, so every character is in it; a blank stands for our own mistake.
const BLANK = [0x20] as const;

function septetsBeside(headerOctets: number): number {
  return Math.floor(((OCTETS - headerOctets) * 8) / 7);
}

function unicodeUnits(text: string): Carried {
  return {
    characters: Array.from(text, (character) =>
      Array.from({ length: character.length }, (_, place) => character.charCodeAt(place)),
    ),
    shiftElements: [],
    fits: (headerOctets) => Math.floor((OCTETS - headerOctets) / 2),
    toOctets: (units) => Uint8Array.from(units.flatMap((unit) => [unit >> 8, unit & 0xff])),
  };
}

function divide({ characters, shiftElements, fits }: Carried): number[][] {
  const whole = characters.flat();
  if (whole.length <= fits(shiftElements.length > 0 ? 1 + shiftElements.length : 0)) return [whole];
  const most = fits(1 + CONCATENATION_OCTETS + shiftElements.length);
  const groups: number[][] = [[]];
  for (const character of characters) {
    if (groups.at(-1)!.length + character.length > most) groups.push([]);
    groups.at(-1)!.push(...character);
  }
  return groups;
}

function headerOf(shiftElements: readonly number[], { reference, count, number }: Concatenation): Uint8Array {
  const concatenation = count > 1 ? [0x00, 0x03, reference & 0xff, count, number] : [];
  const elements = [...concatenation, ...shiftElements];
  return Uint8Array.from(elements.length > 0 ? [elements.length, ...elements] : []);
}

function alphabetOf(header: Uint8Array): Alphabet {
  const { locking, single } = readHeader(header);
  if (locking) return single ? turkishBoth : turkishLocking;
  return single ? turkishSingle : defaultAlphabet;
}

export function fromUcs2(octets: Uint8Array): string {
  let text = "";
  for (let at = 0; at + 1 < octets.length; at += 2) text += String.fromCharCode(octets[at]! * 256 + octets[at + 1]!);
  return text;
}
