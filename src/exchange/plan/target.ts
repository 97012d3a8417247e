// Where a call can be sent: the grammar of targets, read and printed. Whether the place exists is asked elsewhere.

import { type Language, languages } from "../../speech/language.ts";

export type { Language };

export type Target =
  | { to: "user" | "group" | "queue" | "ivr" | "voicemail"; number: string }
  | { to: "external"; number: string }
  | { to: "announcement"; id: number }
  | { to: "tts"; language: Language; text: string }
  | { to: "fax"; email?: string }
  | { to: "hangup"; how: "hangup" | "busy" }
  /** Play the welcome again: only where there was one. */
  | { to: "restart" }
  /** Whoever is on the line wishes no more such calls: only where a campaign called. */
  | { to: "optout" }
  /** Ask the customer's own service what to do with the call. */
  | { to: "programmed" };

/** `queue:Sales` names a place instead of numbering it; whoever takes it in looks the number up. */
export type NamedTarget = { named: "queue" | "ivr"; name: string };

export type BadTarget = { bad: "empty" | "unknown-kind" | "number" | "language" | "text" | "email" | "ending" };

/** Where a target is written decides which ones make sense there. */
export type Place = "inbound" | "menu" | "campaign" | "program";

const LONGEST_TEXT = 1_000;
const LONGEST_EMAIL = 254;

const outOfPlace: Record<Place, readonly Target["to"][]> = {
  inbound: ["restart", "optout"],
  menu: ["optout"],
  campaign: ["programmed"],
  program: ["restart", "optout", "programmed"],
};

export function parseTarget(text: string): Target | NamedTarget | BadTarget {
  const trimmed = text.trim();
  if (trimmed === "") return { bad: "empty" };
  const { kind, rest } = splitOnce(trimmed);
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  return read ? read(rest) : { bad: "unknown-kind" };
}

export function isBadTarget(target: Target | NamedTarget | BadTarget): target is BadTarget {
  return "bad" in target;
}

export function isNamedTarget(target: Target | NamedTarget): target is NamedTarget {
  return "named" in target;
}

export function mayStandIn(place: Place, target: Target): boolean {
  return !outOfPlace[place].includes(target.to);
}

export function printTarget(target: Target): string {
  // The printer is chosen by the very field its parameter narrows on.
  return (printers[target.to] as (target: Target) => string)(target);
}

const printers: { [To in Target["to"]]: (target: Extract<Target, { to: To }>) => string } = {
  user: ({ number }) => `user/${number}`,
  group: ({ number }) => `group/${number}`,
  queue: ({ number }) => `queue/${number}`,
  ivr: ({ number }) => `ivr/${number}`,
  voicemail: ({ number }) => `voicemail/${number}`,
  external: ({ number }) => `external/${number}`,
  announcement: ({ id }) => `announcement/${id}`,
  tts: ({ language, text }) => `tts/${language}/${text}`,
  fax: ({ email }) => (email === undefined ? "fax" : `fax/${email}`),
  hangup: ({ how }) => `hangup/${how}`,
  restart: () => "restart",
  optout: () => "optout",
  programmed: () => "programmed",
};

type Reader = (rest: string | undefined) => Target | NamedTarget | BadTarget;

const readers: Record<string, Reader> = {
  user: numbered("user"),
  extension: numbered("user"),
  group: numbered("group"),
  queue: numberedOrNamed("queue"),
  ivr: numberedOrNamed("ivr"),
  voicemail: numbered("voicemail"),
  external: (rest = "") =>
    /^\+?[0-9][0-9 ().-]{1,31}$/.test(rest)
      ? { to: "external", number: rest.replace(/[^0-9+]/g, "") }
      : { bad: "number" },
  announcement: (rest = "") =>
    /^[0-9]{1,15}$/.test(rest) ? { to: "announcement", id: Number(rest) } : { bad: "number" },
  tts: readSpeech,
  fax: (rest) => (rest === undefined ? { to: "fax" } : readFaxMailbox(rest)),
  hangup: (rest = "hangup") => (rest === "hangup" || rest === "busy" ? { to: "hangup", how: rest } : { bad: "ending" }),
  restart: (rest) => (rest === undefined ? { to: "restart" } : { bad: "unknown-kind" }),
  optout: (rest) => (rest === undefined ? { to: "optout" } : { bad: "unknown-kind" }),
  programmed: (rest) => (rest === undefined ? { to: "programmed" } : { bad: "unknown-kind" }),
};

/** `kind/rest`, or `kind:rest` as older clients write it; the rest may hold further slashes. */
function splitOnce(text: string): { kind: string; rest: string | undefined } {
  const at = text.search(/[/:]/);
  if (at < 0) return { kind: text.toLowerCase(), rest: undefined };
  return { kind: text.slice(0, at).toLowerCase(), rest: text.slice(at + 1).trim() };
}

function numbered(to: "user" | "group" | "queue" | "ivr" | "voicemail"): (rest?: string) => Target | BadTarget {
  return (rest = "") => (/^[0-9]{1,8}$/.test(rest) ? { to, number: rest } : { bad: "number" });
}

function numberedOrNamed(to: "queue" | "ivr"): Reader {
  const byNumber = numbered(to);
  return (rest = "") => {
    const named = rest !== "" && rest.length <= 100 && !/^[0-9]+$/.test(rest);
    return named ? { named: to, name: rest } : byNumber(rest);
  };
}

function readSpeech(rest = ""): Target | BadTarget {
  const slash = rest.indexOf("/");
  const language = languages.find((it) => it.toLowerCase() === rest.slice(0, Math.max(slash, 0)).toLowerCase());
  if (!language) return { bad: "language" };
  const text = rest.slice(slash + 1).trim();
  return text === "" || text.length > LONGEST_TEXT ? { bad: "text" } : { to: "tts", language, text };
}

function readFaxMailbox(email: string): Target | BadTarget {
  const plausible = email.length <= LONGEST_EMAIL && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(email);
  return plausible ? { to: "fax", email } : { bad: "email" };
}
