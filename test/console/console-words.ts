// The words of the console in both languages, and what is wrong with the words that stand on a page.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codecNames } from "../../src/codecs/codec.ts";
import { spoken } from "../../src/speech/language.ts";

export type Language = "tr" | "en";

export type WordTable = Record<Language, ReadonlySet<string>>;

const PAIR = /\btr:\s*("(?:[^"\\]|\\.)*"),\s*en:\s*("(?:[^"\\]|\\.)*")/g;
const RAW_KEY = /^[a-z]+(?:[A-Z][a-z]+)+$/;
const NOT_A_TEXT = /\bundefined\b|\bNaN\b|\bnull\b|\[object /;
/** Shorter ones are units and signs, which both languages have. */
const WORD = /\p{L}{3}/u;

/** The product's own name, which also is a Turkish word; languages by their own names for themselves; codecs. */
const NAMES = new Set<string>(["Santral", ...Object.values(spoken).map(({ name }) => name), ...codecNames]);
/** Addresses, protocols, kinds of files, keys, and names of headers. */
const MACHINE_WORD =
  /^https?:\/\/|^(?:UDP|TCP|TLS|CSV|Ctrl K)$|^[\d.]+ \(Node v[\d.]+\)$|^(?:P-Asserted-Identity|P-Preferred-Identity|Remote-Party-ID|Diversion|History-Info)$/;

/** Whether the server said it: names and numbers that people wrote are the same in every language. */
export type Told = { whole(text: string): boolean; inPieces(text: string): boolean };

export function openTold(): Told & { hear(value: unknown): void } {
  const texts = new Set<string>();
  const pieces = new Set<string>();
  const piecesOf = (text: string) => text.match(/\p{L}{3,}/gu) ?? [];
  const hear = (value: unknown): void => {
    if (typeof value === "string") {
      texts.add(value.trim());
      for (const piece of piecesOf(value)) pieces.add(piece);
    } else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) hear(inner);
  };
  return { hear, whole: (text) => texts.has(text), inPieces: (text) => piecesOf(text).every((it) => pieces.has(it)) };
}

/** Every text that the files of these folders write down in both languages. */
export function readWordTable(...folders: string[]): WordTable {
  const table = { tr: new Set<string>(), en: new Set<string>() };
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  for (const file of files.filter((it) => /\.tsx?$/.test(it)))
    for (const [, tr = '""', en = '""'] of readFileSync(file, "utf8").matchAll(PAIR)) {
      table.tr.add(JSON.parse(tr) as string); // written as in JSON
      table.en.add(JSON.parse(en) as string);
    }
  return table;
}

/** What stands on a page in the wrong language, in no language, or in one language only. */
export function wrongWords(table: WordTable, shown: Record<Language, readonly string[]>, told: Told): string[] {
  const wrong = (["tr", "en"] as const).flatMap((language) => {
    const [own, foreign] = language === "tr" ? [table.tr, table.en] : [table.en, table.tr];
    return [...new Set(shown[language])].flatMap((text) => {
      if (NOT_A_TEXT.test(text)) return [`${language}: “${text}” is no text`];
      if (NAMES.has(text) || own.has(text) || told.whole(text)) return [];
      if (RAW_KEY.test(text)) return [`${language}: “${text}” is a name of ours`];
      return foreign.has(text) ? [`${language}: “${text}” is the other language`] : [];
    });
  });
  const isOfBoth = (text: string) =>
    NAMES.has(text) || MACHINE_WORD.test(text) || (table.tr.has(text) && table.en.has(text));
  const inEnglish = new Set(shown.en);
  const inOne = [...new Set(shown.tr)].filter(
    (text) => inEnglish.has(text) && WORD.test(text) && !isOfBoth(text) && !told.inPieces(text),
  );
  return [...wrong, ...inOne.map((text) => `“${text}” is the same in both languages`)];
}
