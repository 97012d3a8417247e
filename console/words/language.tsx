// The language of the page, chosen by the browser first and by its user after that.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { type Both, firstLanguage, type Language, languageIn } from "../../src/languages.ts";

export type { Both, Language };

type Said = string | ((...given: never[]) => string);

const KEPT = "santral.language";

const Chosen = createContext<{ language: Language; choose(language: Language): void }>({
  language: firstLanguage.console,
  choose: () => undefined,
});

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(beginWith);
  useEffect(() => {
    document.documentElement.lang = language;
    // Whoever installs the console as an application does so in his language.
    const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    if (manifest) manifest.href = `/console/manifest.${language}.webmanifest`;
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

function beginWith(): Language {
  return languageIn(localStorage.getItem(KEPT), navigator.language) ?? firstLanguage.console;
}

export function useLanguage() {
  return useContext(Chosen);
}

type Texts<Own> = { [Name in keyof Own]: Both<Own[Name]> };

/** One page's texts, each in every language. Writes them down as they are and keeps their types. */
export function inBoth<Own extends Record<string, Said>>(texts: Texts<Own>): Texts<Own> {
  return texts;
}

/** The same texts in the language of the page. */
export function useWords<Own extends Record<string, Said>>(texts: Texts<Own>): Own {
  const { language } = useLanguage();
  return useMemo(() => {
    const every = Object.entries<Both<Said>>(texts);
    return Object.fromEntries(every.map(([name, both]) => [name, both[language]])) as Own; // name by name
  }, [texts, language]);
}

/** For a choice: each value with its words. */
export function choicesIn(words: Record<string, Both>, language: Language): [value: string, shown: string][] {
  return Object.entries(words).map(([value, both]) => [value, both[language]]);
}
