// What supervisors do on calls of others, in words: once as the name of it, once as what somebody is doing.

import type { Language } from "../languages.ts";

type Doing = "listen" | "whisper" | "join" | "take-over";

const words: Record<Doing, Record<Language, { name: string; does: string }>> = {
  listen: {
    tr: { name: "dinleme", does: "görüşmeyi dinliyor" },
    en: { name: "listen", does: "listens" },
  },
  whisper: {
    tr: { name: "fısıldama", does: "görüşmede fısıldıyor" },
    en: { name: "whisper", does: "whispers" },
  },
  join: {
    tr: { name: "katılma", does: "görüşmeye katılıyor" },
    en: { name: "join", does: "joins" },
  },
  "take-over": {
    tr: { name: "devralma", does: "görüşmeyi devralıyor" },
    en: { name: "take over", does: "takes over" },
  },
};

/** One of an older or newer exchange is shown as it is. */
export function supervisionInWords(mode: string, language: Language): string {
  return Object.hasOwn(words, mode) ? words[mode as Doing][language].name : mode;
}

export function supervisingInWords(mode: Doing, language: Language): string {
  return words[mode][language].does;
}
