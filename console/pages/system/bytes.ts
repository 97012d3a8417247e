// Sizes as the reader writes them.

import { useLanguage } from "../../words/language.tsx";
import { showBytes } from "../../words/stamps.ts";

export function useBytes(): (bytes: number) => string {
  const { language } = useLanguage();
  return (bytes) => showBytes(bytes, language);
}
