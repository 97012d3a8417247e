// Who is signed in, for every page: the person, the exchange and its time zone, and what they may do.

import { createContext, useContext } from "react";
import type { Language } from "../../src/languages.ts";
import { type Right, rights } from "../../src/nouns/role.ts";
import { useLanguage } from "../words/language.tsx";
import { showChoice } from "../words/stamps.ts";
import type { OperationName, Reply } from "./ask.ts";
import { sessionTexts } from "./texts.ts";

export type Session = Reply<"session.show">;

const Present = createContext<Session | undefined>(undefined);

export const SessionProvider = Present.Provider;

export function useSession(): Session {
  const session = useContext(Present);
  if (!session) throw new Error("no page is shown to somebody who is not signed in");
  return session;
}

/** Undefined when this person may; otherwise the reason why the button is grey. The table is the server's own. */
export function useWhyNot(name: OperationName): string | undefined {
  const { may, needs, administrators } = useSession();
  const { language } = useLanguage();
  if (may.includes(name)) return undefined;
  const right = needs[name];
  return sessionTexts.mayNot[language](right ? rights[right][language] : "", namesOf(administrators, language));
}

/** Beside the right of an operation: to hear what it shows, or to carry it away. */
export function useHas(right: Right): boolean {
  return useSession().rights.includes(right);
}

/** Who may give one more rights; undefined where nobody is signed in. */
export function useWhom(): string | undefined {
  const names = useContext(Present)?.administrators ?? [];
  const { language } = useLanguage();
  return names.length === 0 ? undefined : namesOf(names, language);
}

function namesOf(names: readonly string[], language: Language): string {
  return showChoice(names, language);
}
