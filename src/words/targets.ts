// Where a call can be sent, in words.

import type { Target } from "../exchange/plan/target.ts";
import type { Language } from "./languages.ts";

export type TargetKind = Target["to"];

export const targetKinds: Record<TargetKind, Record<Language, string>> = {
  user: { tr: "Dahili", en: "Extension" },
  queue: { tr: "Kuyruk", en: "Queue" },
  group: { tr: "Çağrı grubu", en: "Ring group" },
  ivr: { tr: "Menü", en: "Menu" },
  voicemail: { tr: "Sesli mesaj", en: "Voicemail" },
  external: { tr: "Dış numara", en: "Outside number" },
  announcement: { tr: "Anons", en: "Announcement" },
  tts: { tr: "Seslendirme", en: "Speech" },
  fax: { tr: "Faks", en: "Fax" },
  programmed: { tr: "Çağrı programlama", en: "Call programming" },
  hangup: { tr: "Kapat", en: "Hang up" },
  restart: { tr: "Menüyü yinele", en: "Repeat the menu" },
  optout: { tr: "Bir daha arama", en: "Never call again" },
};

export const hangups = {
  hangup: { tr: "Normal", en: "Normally" },
  busy: { tr: "Meşgul", en: "With busy" },
} satisfies Record<string, Record<Language, string>>;

export function splitTarget(target: string): { kind: TargetKind | undefined; rest: string } {
  const slash = target.indexOf("/");
  const kind = slash < 0 ? target : target.slice(0, slash);
  return {
    kind: Object.hasOwn(targetKinds, kind) ? (kind as TargetKind) : undefined,
    rest: slash < 0 ? "" : target.slice(slash + 1),
  };
}

/** `queue/200` becomes “Queue 200”; what is no target is shown as it is written. */
export function targetInWords(target: string, language: Language): string {
  const { kind, rest } = splitTarget(target);
  if (!kind) return target;
  const about = kind === "hangup" ? `(${hangups[rest === "busy" ? "busy" : "hangup"][language]})` : rest;
  return `${targetKinds[kind][language]} ${about}`.trim();
}

/** The same in the middle of a sentence. */
export function targetInside(target: string, language: Language): string {
  const words = targetInWords(target, language);
  return words === target ? target : words.charAt(0).toLocaleLowerCase(language) + words.slice(1);
}
