// Readers of values that an operator types: each returns what the column holds, or says what it should have been.

import { checkTarget, hasSound, type TargetProblem } from "../exchange/plan/checked-target.ts";
import type { Place } from "../exchange/plan/target.ts";
import type { Db } from "../store/db.ts";
import { findExternalNumber } from "../store/external-numbers.ts";
import { sql } from "../store/sql.ts";
import { findTrunk } from "../store/trunks.ts";

export type Unreadable = { unreadable: string };
export type Reader = (text: string, where: { db: Db; exchangeId: number }) => unknown | Promise<unknown>;

const LONGEST_TEXT = 500;

export function isUnreadable(value: unknown): value is Unreadable {
  return typeof value === "object" && value !== null && "unreadable" in value;
}

export const text: Reader = (value) => {
  const trimmed = value.trim();
  if (trimmed.length > LONGEST_TEXT) return { unreadable: `at most ${LONGEST_TEXT} characters` };
  return /\p{Cc}/u.test(trimmed) ? { unreadable: "no control characters" } : trimmed;
};

/** An empty value takes the setting away. */
export function optional(read: Reader): Reader {
  return (value, where) => (value.trim() === "" ? null : read(value, where));
}

export const required: Reader = (value, where) =>
  value.trim() === "" ? { unreadable: "not empty" } : text(value, where);

export function whole(least: number, most: number): Reader {
  return (value) => {
    const number = Number(value);
    return /^\d{1,9}$/.test(value) && number >= least && number <= most
      ? number
      : { unreadable: `a whole number from ${least} to ${most}, not "${value}"` };
  };
}

export const yesOrNo: Reader = (value) => {
  if (/^(yes|on|true|1)$/i.test(value)) return true;
  return /^(no|off|false|0)$/i.test(value) ? false : { unreadable: `yes or no, not "${value}"` };
};

export function oneOf(words: readonly string[]): Reader {
  return (value) => (words.includes(value) ? value : { unreadable: `${words.join(", ")}; not "${value}"` });
}

export const timeOfDay: Reader = (value) =>
  /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : { unreadable: `HH:MM, not "${value}"` };

/** `1-5` or `1,2,6`: Monday is 1. */
export const weekdays: Reader = (value) => {
  const days = value.split(",").flatMap((part) => {
    const [, from, to = from] = /^([1-7])(?:-([1-7]))?$/.exec(part.trim()) ?? [];
    return from === undefined || Number(to) < Number(from)
      ? [Number.NaN]
      : Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
  });
  return days.some(Number.isNaN)
    ? { unreadable: `days such as 1-5 or 1,2,6 (Monday is 1), not "${value}"` }
    : [...new Set(days)].sort();
};

export const timeZone: Reader = (value) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return { unreadable: `a time zone such as Europe/Istanbul, not "${value}"` };
  }
};

export const money: Reader = (value) =>
  /^\d{1,9}(\.\d{1,2})?$/.test(value) ? value : { unreadable: `an amount such as 500.00, not "${value}"` };

export const url: Reader = (value) =>
  URL.canParse(value) && /^https?:/.test(value) ? value : { unreadable: `an http or https URL, not "${value}"` };

export const email: Reader = (value) =>
  /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/.test(value) ? value : { unreadable: `an e-mail address, not "${value}"` };

export const host: Reader = (value) =>
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/i.test(value)
    ? value.toLowerCase()
    : { unreadable: `a host name or address, not "${value}"` };

/** Digits of an outside number; a plus and the usual separators are taken off. */
export const outsideNumber: Reader = (value) => {
  const digits = value.replace(/^\+/, "").replace(/[\s().-]/g, "");
  return /^[0-9]{3,15}$/.test(digits) ? digits : { unreadable: `3 to 15 digits, not "${value}"` };
};

export const date: Reader = (value) => {
  const parsed = new Date(`${value}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value)
    ? value
    : { unreadable: `a date such as 2026-10-29, not "${value}"` };
};

export const addresses: Reader = async (value, { db }) => {
  const list = value.split(",").map((part) => part.trim());
  for (const address of list) {
    const good = await db
      .transaction((db) => db.query(sql`select $1::cidr`, [address]))
      .then(() => true)
      .catch(() => false); // the database reads an address as the column will
    if (!good) return { unreadable: `addresses such as 192.0.2.10,198.51.100.0/24, not "${address}"` };
  }
  return list;
};

const KNOWN_CODECS = ["PCMA", "PCMU", "G722", "opus"];

export const codecs: Reader = (value) => {
  const wanted = value.split(",").map((part) => part.trim());
  const list = wanted.map((name) => KNOWN_CODECS.find((known) => known.toLowerCase() === name.toLowerCase()));
  return list.includes(undefined) ? { unreadable: `a list out of ${KNOWN_CODECS.join(", ")}` } : list;
};

/** One of the exchange's own external numbers. */
export const ownNumber: Reader = async (value, where) => {
  const number = await outsideNumber(value, where);
  if (typeof number !== "string") return number;
  const found = await findExternalNumber(where.db, where.exchangeId, number);
  return found ? number : { unreadable: `${number} is not one of this exchange's numbers` };
};

export const trunk: Reader = async (value, { db, exchangeId }) =>
  (await findTrunk(db, exchangeId, value))?.id ?? { unreadable: `there is no trunk ${value}` };

export const announcement: Reader = async (value, { db, exchangeId }) =>
  /^\d{1,15}$/.test(value) && (await hasSound(db, exchangeId, Number(value)))
    ? Number(value)
    : { unreadable: `there is no sound with id ${value}` };

/** A target in its printed form, if the grammar knows it, it makes sense here, and the place it names exists. */
export function target(place: Place): Reader {
  return async (value, where) => {
    const checked = await checkTarget(value, place, where);
    return "target" in checked ? checked.target : { unreadable: wordsFor(checked, value) };
  };
}

function wordsFor(problem: TargetProblem, value: string): string {
  switch (problem.problem) {
    case "unreadable":
      return `"${value}" is not a target such as user/1000, queue/200 or ivr/10`;
    case "named":
      return `name the ${problem.kind} by its number, as in ${problem.kind}/200`;
    case "out-of-place":
      return `${problem.kind} makes no sense here`;
    case "not-there":
      return problem.noun === "sound"
        ? `there is no sound with id ${problem.which}`
        : `there is no ${problem.noun} ${problem.which}`;
  }
}
