// Whether a password or a PIN is one of the first that somebody would try. It looks at what remains of it when everything
// is taken away that can be known or guessed beforehand.

import { createHash } from "node:crypto";
import { COMMON_COUNT, COMMON_STEPS } from "./common-passwords.ts";
import { folded } from "./folded.ts";

export type Weakness =
  /** Many people have it, or it with a few signs around. */
  | "common"
  /** Made of what is known of its owner or his exchange. */
  | "personal"
  /** A run of keys, something said again and again, a year. */
  | "predictable";

/** Less than this is no secret. */
const LEAST_LEFT = 4;
const LEAST_KNOWN = 3;

/** `known`: names, numbers and addresses that anybody might think of. */
export function weaknessOf(password: string, known: readonly string[] = []): Weakness | undefined {
  const text = folded(password);
  if (isCommon(text)) return "common";
  const impersonal = without(text, wordsIn(known));
  const left = withoutPatterns(impersonal);
  if (spoken(left).length < LEAST_LEFT) return impersonal === text ? "predictable" : "personal";
  if (hasCommonCore(left)) return "common";
  return isRepetition(text) ? "predictable" : undefined;
}

/** `own`: the number of whoever has it. */
export function isSimplePin(pin: string, own: string): boolean {
  const turned = [...pin].reverse().join("");
  if (own.length >= LEAST_KNOWN && [pin, turned].some((it) => it.includes(own) || own.includes(it))) return true;
  if (COMMON_PINS.includes(pin) || pin === turned) return true;
  if (/^(19|20)\d\d$/.test(pin) || isRepetition(pin) || isInPairs(pin)) return true;
  const steps = new Set([...pin].slice(1).map((digit, place) => (Number(digit) - Number(pin[place]) + 10) % 10));
  return steps.size === 1;
}

function isInPairs(pin: string): boolean {
  return pin.length % 2 === 0 && [...pin].every((digit, place) => digit === pin[place - (place % 2)]);
}

/** Besides runs, years and repetitions: the ways of the finger over the keys. */
const COMMON_PINS = [
  ...["2580", "0852", "1470", "0741", "3690", "0963", "1478", "7410", "1236", "3214", "1397", "7913", "2486", "1379"],
  ...["147258", "258369", "159753", "753159", "159357", "357159", "147852", "789456", "456123", "963852", "741852"],
  ...["147258369", "789456123", "741852963", "963852741", "123654789", "112358", "314159", "102030", "10203040"],
];

function wordsIn(known: readonly string[]): string[] {
  const words = known.flatMap((it) => folded(it).split(/[^\p{L}\p{N}]+/u)).filter((it) => it.length >= LEAST_KNOWN);
  return [...new Set(words)].sort((one, other) => other.length - one.length);
}

function without(text: string, words: readonly string[]): string {
  return words.reduce((left, word) => left.replaceAll(word, " "), text);
}

const SHORTEST_RUN = 3;
const TRACKS = [
  ...["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop"],
  ...["1qaz2wsx3edc4rfv5tgb6yhn7ujm", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "147258369", "741852963"],
  ...["qazwsxedcrfvtgbyhnujm", "zaq1xsw2cde3vfr4bgt5nhy6mju7", "!@#$%^&*()", "!'^+%&/()="],
].flatMap((track) => [track, [...track].reverse().join("")]);

/** Runs along the keys or the alphabet, years, and a sign three times and more. */
function withoutPatterns(text: string): string {
  let left = "";
  for (let at = 0; at < text.length; ) {
    const length = patternAt(text, at);
    if (length === 0) left += text[at];
    at += Math.max(length, 1);
  }
  return left;
}

function patternAt(text: string, at: number): number {
  if (/^(?:19|20)\d\d$/.test(text.slice(at, at + 4))) return 4;
  let same = 1;
  while (text[at + same] === text[at]) same += 1;
  const run = Math.max(...TRACKS.map((track) => runOn(track, text, at)));
  // Three letters of the alphabet stand in many a word; three digits are nothing.
  const isLong = run > SHORTEST_RUN || (run === SHORTEST_RUN && /\d/.test(text[at] ?? ""));
  return Math.max(same >= SHORTEST_RUN ? same : 0, isLong ? run : 0);
}

function runOn(track: string, text: string, at: number): number {
  const from = track.indexOf(text[at] ?? "");
  if (from < 0) return 0;
  let length = 1;
  while (at + length < text.length && track[from + length] === text[at + length]) length += 1;
  return length;
}

const MOST_SIGNS_AROUND = 4;

/** A common word with a few digits before or behind it, or letters of it written as signs that look like them. */
function hasCommonCore(text: string): boolean {
  const cores = [text, withoutDigitsAround(text)];
  const words = cores.flatMap((core) => [core, ...READINGS.map((reading) => spelt(core, reading))].map(spoken));
  return words.some((word) => word.length >= LEAST_LEFT && (isCommon(word) || isCommonTwice(word)));
}

const spoken = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");

function withoutDigitsAround(text: string): string {
  let [from, to] = [0, text.length];
  while (from < MOST_SIGNS_AROUND && isDigit(text[from])) from += 1;
  while (text.length - to < MOST_SIGNS_AROUND && to > from && isDigit(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

const isDigit = (sign: string | undefined) => sign !== undefined && sign >= "0" && sign <= "9";

function isCommonTwice(word: string): boolean {
  const half = word.slice(0, word.length / 2);
  return half + half === word && isCommon(half);
}

const alike: Record<string, string> = {
  "0": "o",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
};
const READINGS = ["i", "l"].map((one): Record<string, string> => ({ ...alike, "1": one }));

function spelt(text: string, reading: Record<string, string>): string {
  return [...text].map((sign) => reading[sign] ?? sign).join("");
}

/** One short thing again and again. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= Math.min(LEAST_LEFT, text.length / 2); length++)
    if (text.length % length === 0 && text.slice(0, length).repeat(text.length / length) === text) return true;
  return false;
}

let read: Set<number> | undefined;

/** One of 280,000 others is taken for one of them. */
function isCommon(word: string): boolean {
  read ??= readCommon();
  return read.has(createHash("sha256").update(word).digest().readUInt32BE(0));
}

function readCommon(): Set<number> {
  const hashes = new Set<number>();
  let [hash, step, scale] = [0, 0, 1];
  for (const octet of Buffer.from(COMMON_STEPS, "base64")) {
    step += (octet & 0x7f) * scale;
    scale *= 0x80;
    if (octet & 0x80) continue;
    hash += step;
    hashes.add(hash);
    [step, scale] = [0, 1];
  }
  if (hashes.size !== COMMON_COUNT) throw new Error("the list of common passwords is not whole");
  return hashes;
}
