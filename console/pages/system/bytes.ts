// Sizes as people read them.

import { languages } from "../../../src/languages.ts";
import { useLanguage } from "../../words/language.tsx";

const UNITS = ["kB", "MB", "GB", "TB"] as const;

export function useBytes(): (bytes: number) => string {
  const { language } = useLanguage();
  const { format } = new Intl.NumberFormat(languages[language].locale, { maximumFractionDigits: 1 });
  return (bytes) => {
    let [value, unit] = [bytes / 1_000, 0];
    while (value >= 1_000 && unit < UNITS.length - 1) [value, unit] = [value / 1_000, unit + 1];
    return `${format(value)} ${UNITS[unit]}`;
  };
}
