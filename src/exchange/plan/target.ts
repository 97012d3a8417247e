// Where a call can be sent: one record a target, with how it is written and read, where it makes sense, and what it names.

import type { Both } from "../../languages.ts";
import { type Language, languages } from "../../speech/language.ts";
import type { Noun } from "../../store/refusal.ts";

export type { Language };

/** `queue:Sales` names a place instead of numbering it; whoever takes it in looks the number up. */
export type NamedTarget = { named: "queue" | "ivr"; name: string };

export type BadTarget = { bad: "empty" | "unknown-kind" | "number" | "language" | "text" | "email" | "ending" };

/** Where a target is written decides which ones make sense there. */
export type Place = "inbound" | "menu" | "campaign" | "program";

type Kind<Fields> = {
  /** What the console calls it. */
  words: Both;
  /** How older clients write it. */
  alias?: string;
  /** What may follow the slash, as the documents show it. */
  example?: string;
  /** Where it makes no sense. */
  notIn?: readonly Place[];
  /** What has to be there under the number it gives. */
  names?: Noun | "sound";
  /** What follows the slash is one of these. */
  choices?: Record<string, Both>;
  /** Reads what follows the slash, if there is one. */
  read(rest: string | undefined): Fields | NamedTarget | BadTarget;
  /** What follows the slash; empty where nothing does. */
  print(fields: Fields): string;
};

const LONGEST_TEXT = 1_000;
const LONGEST_EMAIL = 254;

const endings = { hangup: { tr: "Normal", en: "Normally" }, busy: { tr: "Meşgul", en: "With busy" } };

/** In the order in which the console offers them. */
export const targets = {
  user: numbered({ words: { tr: "Dahili", en: "Extension" }, names: "extension", example: "1000", alias: "extension" }),
  queue: numberedOrNamed("queue", { words: { tr: "Kuyruk", en: "Queue" }, names: "queue", example: "200" }),
  group: numbered({ words: { tr: "Çağrı grubu", en: "Ring group" }, names: "group", example: "700" }),
  ivr: numberedOrNamed("ivr", { words: { tr: "Menü", en: "Menu" }, names: "menu", example: "10" }),
  voicemail: numbered({ words: { tr: "Sesli mesaj", en: "Voicemail" }, names: "extension", example: "1000" }),
  external: kind<{ number: string }>({
    words: { tr: "Dış numara", en: "Outside number" },
    example: "05321234567",
    read: (rest = "") =>
      /^\+?[0-9][0-9 ().-]{1,31}$/.test(rest) ? { number: rest.replace(/[^0-9+]/g, "") } : { bad: "number" },
    print: ({ number }) => number,
  }),
  announcement: kind<{ id: number }>({
    words: { tr: "Anons", en: "Announcement" },
    names: "sound",
    example: "456",
    read: (rest = "") => (/^[0-9]{1,15}$/.test(rest) ? { id: Number(rest) } : { bad: "number" }),
    print: ({ id }) => String(id),
  }),
  tts: kind<{ language: Language; text: string }>({
    words: { tr: "Seslendirme", en: "Speech" },
    example: "tr-TR/sentence",
    read: readSpeech,
    print: ({ language, text }) => `${language}/${text}`,
  }),
  fax: kind<{ email?: string }>({
    words: { tr: "Faks", en: "Fax" },
    read: (rest) => (rest === undefined ? {} : readFaxMailbox(rest)),
    print: ({ email = "" }) => email,
  }),
  /** Ask the customer's own service what to do with the call. */
  programmed: alone({ words: { tr: "Çağrı programlama", en: "Call programming" }, notIn: ["campaign", "program"] }),
  hangup: kind<{ how: keyof typeof endings }>({
    words: { tr: "Kapat", en: "Hang up" },
    choices: endings,
    read: (how = "hangup") => (how === "hangup" || how === "busy" ? { how } : { bad: "ending" }),
    print: ({ how }) => how,
  }),
  /** Play the welcome again: only where there was one. */
  restart: alone({ words: { tr: "Menüyü yinele", en: "Repeat the menu" }, notIn: ["inbound", "program"] }),
  /** Whoever is on the line wants no more such calls: only where a campaign called. */
  optout: alone({ words: { tr: "Bir daha arama", en: "Never call again" }, notIn: ["inbound", "menu", "program"] }),
};

export type TargetKind = keyof typeof targets;
type FieldsOf<To extends TargetKind> = (typeof targets)[To] extends Kind<infer Fields> ? Fields : never;
export type Target = { [To in TargetKind]: { to: To } & FieldsOf<To> }[TargetKind];

/** By every spelling of its kind. */
const spellings = new Map<string, TargetKind>(
  targetKinds().flatMap((to): [string, TargetKind][] => {
    const { alias } = aboutTarget(to);
    return alias === undefined
      ? [[to, to]]
      : [
          [to, to],
          [alias, to],
        ];
  }),
);

export function targetKinds(): TargetKind[] {
  return Object.keys(targets) as TargetKind[]; // the table's own keys
}

/** What is said of every kind alike. */
export function aboutTarget(to: TargetKind): About {
  return targets[to];
}

/** Those that make sense there, as they are written. */
export function targetExamples(place: Place): string[] {
  return targetKinds().flatMap((to) => {
    const { example, choices } = aboutTarget(to);
    const rests = choices ? Object.keys(choices) : [example];
    return mayStandIn(place, { to }) ? rests.map((rest) => (rest === undefined ? to : `${to}/${rest}`)) : [];
  });
}

export function parseTarget(text: string): Target | NamedTarget | BadTarget {
  const trimmed = text.trim();
  if (trimmed === "") return { bad: "empty" };
  const { spelling, rest } = splitOnce(trimmed);
  const to = spellings.get(spelling);
  if (!to) return { bad: "unknown-kind" };
  const read = targets[to].read(rest);
  // What was read are the fields of this very kind.
  return ("bad" in read || "named" in read ? read : { ...read, to }) as Target | NamedTarget | BadTarget;
}

export function isBadTarget(target: Target | NamedTarget | BadTarget): target is BadTarget {
  return "bad" in target;
}

export function isNamedTarget(target: Target | NamedTarget): target is NamedTarget {
  return "named" in target;
}

export function mayStandIn(place: Place, { to }: { to: TargetKind }): boolean {
  return !aboutTarget(to).notIn?.includes(place);
}

export function printTarget(target: Target): string {
  const rest = printRest(target);
  return rest === "" ? target.to : `${target.to}/${rest}`;
}

/** What follows the slash. */
export function printRest(target: Target): string {
  // The printer is chosen by the very field its parameter narrows on.
  return targets[target.to].print(target as never);
}

/** `kind/rest`, or `kind:rest` as older clients write it; the rest may hold further slashes. */
function splitOnce(text: string): { spelling: string; rest: string | undefined } {
  const at = text.search(/[/:]/);
  if (at < 0) return { spelling: text.toLowerCase(), rest: undefined };
  return { spelling: text.slice(0, at).toLowerCase(), rest: text.slice(at + 1).trim() };
}

/** As it is: only its fields' type is found out here. */
function kind<Fields>(about: Kind<Fields>): Kind<Fields> {
  return about;
}

type About = Omit<Kind<unknown>, "read" | "print">;

function alone(about: About): Kind<object> {
  return { ...about, read: (rest) => (rest === undefined ? {} : { bad: "unknown-kind" }), print: () => "" };
}

function numbered(about: About): Kind<{ number: string }> {
  return { ...about, read: readPlaceNumber, print: ({ number }) => number };
}

function numberedOrNamed(named: NamedTarget["named"], about: About): Kind<{ number: string }> {
  const read = (rest = "") => {
    const isName = rest !== "" && rest.length <= 100 && !/^[0-9]+$/.test(rest);
    return isName ? { named, name: rest } : readPlaceNumber(rest);
  };
  return { ...numbered(about), read };
}

function readPlaceNumber(rest = ""): { number: string } | BadTarget {
  return /^[0-9]{1,8}$/.test(rest) ? { number: rest } : { bad: "number" };
}

function readSpeech(rest = ""): { language: Language; text: string } | BadTarget {
  const slash = rest.indexOf("/");
  const language = languages.find((it) => it.toLowerCase() === rest.slice(0, Math.max(slash, 0)).toLowerCase());
  if (!language) return { bad: "language" };
  const text = rest.slice(slash + 1).trim();
  return text === "" || text.length > LONGEST_TEXT ? { bad: "text" } : { language, text };
}

function readFaxMailbox(email: string): { email: string } | BadTarget {
  const plausible = email.length <= LONGEST_EMAIL && /^[^\s@<>"]+@[^\s@<>"][^\s@<>".]*\.[^\s@<>"]+$/.test(email);
  return plausible ? { email } : { bad: "email" };
}
