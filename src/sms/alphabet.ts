// The 7-bit alphabets of 3GPP TS 23.038: the default one, its extension, and the Turkish locking and single shift tables.

/** One character as the septets that carry it: one, or an escape and a second. */
export type Septets = readonly [number] | readonly [number, number];

const ESCAPE = 0x1b;

const DEFAULT =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

const EXTENSION: readonly [string, number][] = [
  ["\f", 0x0a],
  ["^", 0x14],
  ["{", 0x28],
  ["}", 0x29],
  ["\\", 0x2f],
  ["[", 0x3c],
  ["~", 0x3d],
  ["]", 0x3e],
  ["|", 0x40],
  ["€", 0x65],
];

/** Table A.3.1: these places of the default alphabet are given to Turkish. */
const TURKISH_LOCKING: readonly [number, string][] = [
  [0x04, "€"],
  [0x07, "ı"],
  [0x0b, "Ğ"],
  [0x0c, "ğ"],
  [0x1c, "Ş"],
  [0x1d, "ş"],
  [0x40, "İ"],
  [0x60, "ç"],
];

/** Table A.2.1: Turkish letters reached by an escape, beside the ordinary extension. */
const TURKISH_SINGLE: readonly [string, number][] = [
  ["Ğ", 0x47],
  ["İ", 0x49],
  ["Ş", 0x53],
  ["ç", 0x63],
  ["ğ", 0x67],
  ["ı", 0x69],
  ["ş", 0x73],
];

export type Alphabet = {
  /** Information elements that tell the phone which tables to read with; none for the default alphabet. */
  shiftElements: readonly number[];
  septetsOf: ReadonlyMap<string, Septets>;
  plain: readonly string[];
  escaped: ReadonlyMap<number, string>;
};

const SINGLE_SHIFT_TURKISH = [0x24, 0x01, 0x01] as const;
const LOCKING_SHIFT_TURKISH = [0x25, 0x01, 0x01] as const;

export const defaultAlphabet = alphabetOf([...DEFAULT], EXTENSION, []);

// The euro sign is sent by its escape here too: the length table counts it twice with either alphabet.
export const turkishLocking = alphabetOf(turkishPlain(), EXTENSION, LOCKING_SHIFT_TURKISH);

/** For the rare text that mixes Turkish letters with one of the eight characters the locking table gave away. */
export const turkishSingle = alphabetOf([...DEFAULT], [...EXTENSION, ...TURKISH_SINGLE], SINGLE_SHIFT_TURKISH);

/** Only ever received: we send one table or the other. */
export const turkishBoth = alphabetOf(
  turkishPlain(),
  [...EXTENSION, ...TURKISH_SINGLE],
  [...SINGLE_SHIFT_TURKISH, ...LOCKING_SHIFT_TURKISH],
);

export const TURKISH_LETTERS: ReadonlySet<string> = new Set(TURKISH_SINGLE.map(([letter]) => letter));

export const DOUBLE_COUNTED: ReadonlySet<string> = new Set(EXTENSION.map(([character]) => character));

export function canWrite(text: string, { septetsOf }: Alphabet): boolean {
  for (const character of text) if (!septetsOf.has(character)) return false;
  return true;
}

export function readSeptets(septets: Iterable<number>, { plain, escaped }: Alphabet): string {
  let text = "";
  let afterEscape = false;
  for (const septet of septets) {
    if (afterEscape) {
      // A phone that knows no such escape shows the character of the main table instead (23.038, 6.2.1.1).
      text += escaped.get(septet) ?? plain[septet & 0x7f] ?? " ";
      afterEscape = false;
    } else if (septet === ESCAPE) afterEscape = true;
    else text += plain[septet & 0x7f] ?? " ";
  }
  return text;
}

function turkishPlain(): string[] {
  const plain = [...DEFAULT];
  for (const [place, letter] of TURKISH_LOCKING) plain[place] = letter;
  return plain;
}

function alphabetOf(
  plain: readonly string[],
  extension: readonly [string, number][],
  shiftElements: readonly number[],
): Alphabet {
  const septetsOf = new Map<string, Septets>();
  for (const [place, character] of plain.entries()) if (place !== ESCAPE) septetsOf.set(character, [place]);
  for (const [character, place] of extension) septetsOf.set(character, [ESCAPE, place]);
  return {
    shiftElements,
    septetsOf,
    plain,
    escaped: new Map(extension.map(([character, place]) => [place, character])),
  };
}
