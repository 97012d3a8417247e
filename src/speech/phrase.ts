// A phrase as it is written for a call: sounds by number, dates, amounts and words, turned into what is played and said.

import type { Language } from "./language.ts";
import { arabic } from "./words/arabic.ts";
import { english } from "./words/english.ts";
import { turkish } from "./words/turkish.ts";
import type { Words } from "./words/words.ts";

export type Piece = { play: number } | { say: string };

const wordsOf: Record<Language, Words> = { "tr-TR": turkish, "en-US": english, "ar-XA": arabic };

const LONGEST_PHRASE = 2_000;
const LONGEST_NUMBER = 15;

/** Neighbouring words are said in one breath. */
export function readPhrase(text: string, language: Language): Piece[] {
  const pieces: Piece[] = [];
  for (const token of text.slice(0, LONGEST_PHRASE).trim().split(/\s+/)) {
    if (token === "") continue;
    const sound = /^#(\d{1,15})$/.exec(token);
    if (sound) pieces.push({ play: Number(sound[1]) });
    else say(pieces, spoken(token, wordsOf[language]));
  }
  return pieces;
}

/** What a voice should be given: it reads "73.56" as a decimal fraction and "15/11/2017" as three numbers. */
export function spokenText(text: string, language: Language): string {
  return text
    .split(/(\s+)/)
    .map((token) => (token.trim() === "" ? token : spoken(token, wordsOf[language])))
    .join("");
}

function say(pieces: Piece[], words: string): void {
  const last = pieces.at(-1);
  if (last && "say" in last) last.say += ` ${words}`;
  else pieces.push({ say: words });
}

function spoken(token: string, words: Words): string {
  const mark = /(?<![.,;:!?])[.,;:!?]*$/.exec(token)?.[0] ?? "";
  return `${spokenAlone(token.slice(0, token.length - mark.length), words)}${mark}`;
}

function spokenAlone(token: string, words: Words): string {
  const date = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(token);
  if (date && isDay(Number(date[1]), Number(date[2]), Number(date[3])))
    return words.date(Number(date[1]), Number(date[2]), Number(date[3]));
  const money = /^(\d{1,15})[.,](\d{2})$/.exec(token);
  if (money) return words.money(BigInt(money[1]!), Number(money[2]));
  return new RegExp(`^\\d{1,${LONGEST_NUMBER}}$`).test(token) ? numberOf(token, words) : token;
}

/** A leading zero means that the digits matter, not the amount: a customer number is read digit by digit. */
function numberOf(digits: string, words: Words): string {
  if (!/^0\d/.test(digits)) return words.cardinal(BigInt(digits));
  return [...digits].map((digit) => words.cardinal(BigInt(digit))).join(" ");
}

function isDay(day: number, month: number, year: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1;
}
