// Why a fax did not arrive, by the number of its result: T.30's own ones, and the negative ones of our engine.

import { causes, type HangupCause } from "../exchange/calls/causes.ts";
import type { Language } from "../languages.ts";
import { causeInWords } from "./causes.ts";

const failures: [codes: number[], words: Record<Language, string>][] = [
  [[-1], { tr: "faks burada kullanılamıyor", en: "faxes do not work here" }],
  [[-2], { tr: "faks makinesi bozuldu", en: "the fax machine broke" }],
  [[-3, 49], { tr: "çağrı faks bitmeden sona erdi", en: "the call ended before the fax did" }],
  [[-4], { tr: "faks çok uzun sürdü", en: "the fax took too long" }],
  [[-5], { tr: "sayfaların hepsi gitmedi", en: "not all pages went" }],
  [[-6, 41, 42, 43, 44, 45, 46], { tr: "sayfalar okunamıyor", en: "the pages cannot be read" }],
  [[2, 3, 28, 29, 30, 31, 32, 33, 34], { tr: "karşı makine ses vermedi", en: "the other machine said nothing" }],
  [[18, 20, 21, 22], { tr: "karşı makine cevap vermedi", en: "the other machine did not answer" }],
  [[6, 14], { tr: "makineler ortak bir hızda anlaşamadı", en: "the machines found no common speed" }],
  [[8, 9, 10, 11, 12], { tr: "karşı makine bunu alamıyor", en: "the other machine cannot take it" }],
  [[15, 17, 35, 36, 37, 38, 39, 40, 48], { tr: "karşı makine kapattı", en: "the other machine hung up" }],
  [[26, 27], { tr: "hat koptu", en: "the line was lost" }],
];

export function faxFailureInWords(code: number, language: Language): string {
  const words = failures.find(([codes]) => codes.includes(code))?.[1][language];
  if (code < 0 && words !== undefined) return words;
  return words === undefined ? `T.30 ${code}` : `${words} (T.30 ${code})`;
}

/** The call brought no fax about at all: its text is the cause. */
const NO_FAX = -100;

const otherwise: Record<"stopped" | "complete", Record<Language, string>> = {
  stopped: { tr: "santral durduğu için yarıda kaldı", en: "the exchange stopped in the middle" },
  complete: { tr: "tamam", en: "complete" },
};

/** What came of one call for a fax: the machines' number, or why there was no fax. */
export function faxResultInWords(
  { resultCode, resultText }: { resultCode: number | null; resultText: string },
  language: Language,
): string {
  if (resultCode === 0) return otherwise.complete[language];
  if (resultCode !== null && resultCode !== NO_FAX) return faxFailureInWords(resultCode, language);
  return Object.hasOwn(causes, resultText)
    ? causeInWords(resultText as HangupCause, language) // just looked for
    : otherwise.stopped[language];
}
