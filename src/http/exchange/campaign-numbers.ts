// The list of numbers of a new campaign: read and checked whole before anything is written.

import { readNumber, written } from "../../exchange/plan/numbers.ts";
import { openTurns } from "../../in-turns.ts";
import { languages as spokenLanguages } from "../../speech/language.ts";
import type { NumberBatch } from "../../store/campaign-numbers.ts";
import { refuse } from "../door/answer.ts";
import type { Refused } from "../door/endpoint.ts";
import { listed } from "../parameters/listed.ts";
import { isStorable } from "../parameters/text.ts";

export const MOST_NUMBERS = 100_000;
/** Others have their turn after so many. */
const READ_AT_ONCE = 500;
const LONGEST_PHRASE = 1_000;

export type ReadNumbers = NumberBatch & {
  /** Sounds that phrases name. */
  sounds: Set<number>;
};

/** Objects with `phone`, `phrase` and `lang`, as documented; or bare numbers, or either as JSON text in a form. */
export async function readNumbers(sent: readonly unknown[], { orNone = false } = {}): Promise<ReadNumbers | Refused> {
  const entries = listed(sent, MOST_NUMBERS + 1);
  if (entries.length === 0 && !orNone) return refuse({ refused: "blank", field: "phone_list" });
  if (entries.length > MOST_NUMBERS) return refuse({ refused: "too-many-numbers", most: MOST_NUMBERS });
  const read: ReadNumbers = { numbers: [], phrases: [], languages: [], sounds: new Set() };
  // Whoever stands in the list twice with the same words is called once.
  const known = new Set<string>();
  const turns = openTurns(READ_AT_ONCE);
  for (const entry of entries) {
    const others = turns();
    if (others) await others;
    const refusal = readEntry(read, known, entry);
    if (refusal) return refusal;
  }
  return read;
}

/** Numbers in portions that the database takes in one statement. */
export function* portions({ numbers, phrases, languages }: NumberBatch, size = 5_000): Generator<NumberBatch> {
  for (let from = 0; from < numbers.length; from += size) {
    const part = <Value>(column: Value[]) => column.slice(from, from + size);
    yield { numbers: part(numbers), phrases: part(phrases), languages: part(languages) };
  }
}

function readEntry(read: ReadNumbers, known: Set<string>, entry: unknown): Refused | undefined {
  // What is no object is a bare number, or nothing that could be one.
  const { phone, phrase, lang } = (isObject(entry) ? entry : { phone: entry }) as Record<string, unknown>;
  const sent = textOf(phone);
  if (sent === "") return refuse({ refused: "blank", field: "phone" });
  const number = readNumber(sent);
  if (number.is !== "national" && number.is !== "international")
    return refuse({ refused: "misfit", field: "number", value: sent });
  const words = textOf(phrase);
  if (words.length > LONGEST_PHRASE || !isStorable(words))
    return refuse({ refused: "misfit", field: "phrase", value: words });
  const wanted = textOf(lang).toLowerCase();
  const language = spokenLanguages.find((it) => wanted === "" || it.toLowerCase() === wanted);
  if (!language) return refuse({ refused: "misfit", field: "lang", value: wanted });
  const stored = written(number);
  const once = `${stored} ${words}`;
  if (known.has(once)) return undefined;
  known.add(once);
  read.numbers.push(stored);
  read.phrases.push(words === "" ? null : words);
  read.languages.push(language);
  if (words.includes("#"))
    for (const [, id] of words.matchAll(/(?<=^|\s)#(\d{1,15})(?=\s|$)/g)) read.sounds.add(Number(id));
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
