// What became of a message: the words of the SMS interface, as people say it.

import type { Both, Language } from "./language.tsx";
import { smsStatuses } from "./texts.ts";

export function smsStatus(status: string, language: Language): string {
  const known: Partial<Record<string, Both>> = smsStatuses;
  return known[status]?.[language] ?? status;
}
