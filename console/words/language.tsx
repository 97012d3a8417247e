// The language of the page, chosen by the browser first and by its user after that.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { type Both, firstLanguage, type Language, languageIn } from "../../src/words/languages.ts";

export type { Both, Language };

type Said = string | ((...given: never[]) => string);
type Texts = Record<string, Both<Said>>;

const KEPT = "santral.language";

const Chosen = createContext<{ language: Language; choose(language: Language): void }>({
  language: firstLanguage.console,
  choose: () => undefined,
});

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(beginWith);
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

function beginWith(): Language {
  return languageIn(localStorage.getItem(KEPT), navigator.language) ?? firstLanguage.console;
}

export function useLanguage() {
  return useContext(Chosen);
}

/** One page's texts, each in every language. Writes them down as they are and keeps their types. */
export function inBoth<Own extends Texts>(texts: Own): Own {
  return texts;
}

type InOne<Own extends Texts> = { [Name in keyof Own]: Own[Name][Language] };

/** The same texts in the language of the page. */
export function useWords<Own extends Texts>(texts: Own): InOne<Own> {
  const { language } = useLanguage();
  return useMemo(
    () => Object.fromEntries(Object.entries(texts).map(([name, both]) => [name, both[language]])) as InOne<Own>, // name by name
    [texts, language],
  );
}

/** For a choice: each value with its words. */
export function choicesIn(words: Record<string, Both>, language: Language): [value: string, shown: string][] {
  return Object.entries(words).map(([value, both]) => [value, both[language]]);
}
