// Who is signed in, for every page: the person, the exchange and its time zone, and what they may do.

import { createContext, useContext } from "react";
import { roles } from "../../src/nouns/role.ts";
import { useLanguage } from "../words/language.tsx";
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
  const { may, needs } = useSession();
  const { language } = useLanguage();
  if (may.includes(name)) return undefined;
  const role = needs[name];
  return sessionTexts.needsRole[language](role ? roles[role].words[language] : "");
}
