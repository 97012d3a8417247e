// The language of the page: Turkish or English, chosen by the browser first and by its user after that.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { LANGUAGES, type Language } from "../../src/languages.ts";

export type { Language };

type Said = string | ((...given: never[]) => string);

/** A text in both languages: one without the other does not compile. */
export type Both<Text extends Said = string> = { tr: Text; en: Text };

const KEPT = "santral.language";

const Chosen = createContext<{ language: Language; choose(language: Language): void }>({
  language: "en",
  choose: () => undefined,
});

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const chosen = useMemo(() => {
    const choose = (wanted: Language) => {
      localStorage.setItem(KEPT, wanted);
      setLanguage(wanted);
    };
    return { language, choose };
  }, [language]);
  return <Chosen value={chosen}>{children}</Chosen>;
}

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  const own = navigator.language.toLowerCase();
  return LANGUAGES.find((it) => it === kept) ?? LANGUAGES.find((it) => own.startsWith(it)) ?? "en";
}

export function useLanguage() {
  return useContext(Chosen);
}

/** One page's texts, each in both languages. Writes them down as they are and keeps their types. */
export function inBoth<Texts extends Record<string, { tr: Said; en: Said }>>(texts: Texts): Texts {
  return texts;
}

type InOne<Texts extends Record<string, { tr: Said; en: Said }>> = { [Name in keyof Texts]: Texts[Name]["en"] };

/** The same texts in the language of the page. */
export function useWords<Texts extends Record<string, { tr: Said; en: Said }>>(texts: Texts): InOne<Texts> {
  const { language } = useLanguage();
  return useMemo(
    () => Object.fromEntries(Object.entries(texts).map(([name, both]) => [name, both[language]])) as InOne<Texts>, // name by name
    [texts, language],
  );
}

/** For a choice: each value with its words. */
export function choicesIn(words: Record<string, Both>, language: Language): [value: string, shown: string][] {
  return Object.entries(words).map(([value, both]) => [value, both[language]]);
}
