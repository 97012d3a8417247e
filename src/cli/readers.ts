// Readers of values that an operator types: each returns what the column holds, or says what it should have been.

import { bracketed, canonical } from "../addresses.ts";
import { checkTarget, hasSound, type TargetProblem } from "../exchange/plan/checked-target.ts";
import type { Place } from "../exchange/plan/target.ts";
import { LONGEST_TEXT } from "../nouns/field.ts";
import { isLink } from "../nouns/link.ts";
import type { Db } from "../store/db.ts";
import { whyNotForHelp } from "../store/dial-plan.ts";
import { findExtension } from "../store/extensions.ts";
import { findExternalNumber } from "../store/external-numbers.ts";
import { formCalled } from "../store/forms.ts";
import { sql } from "../store/sql.ts";
import { findTrunk } from "../store/trunks.ts";
import { inWords } from "./words.ts";

const MOST_SHORT_NUMBERS = 20;
const MOST_ADDRESSES = 20;

export type Unreadable = { unreadable: string };
export type Reader = (text: string, where: { db: Db; exchangeId: number }) => unknown | Promise<unknown>;

export function isUnreadable(value: unknown): value is Unreadable {
  return typeof value === "object" && value !== null && "unreadable" in value;
}

export function text(longest = LONGEST_TEXT): Reader {
  return (value) => {
    const trimmed = value.trim();
    if (trimmed.length > longest) return { unreadable: `at most ${longest} characters` };
    return /\p{Cc}/u.test(trimmed) ? { unreadable: "no control characters" } : trimmed;
  };
}

/** An empty value takes the setting away. */
export function optional(read: Reader): Reader {
  return (value, where) => (value.trim() === "" ? null : read(value, where));
}

export function required(longest?: number): Reader {
  return (value, where) => (value.trim() === "" ? { unreadable: "not empty" } : text(longest)(value, where));
}

export function whole(least: number, most: number, orZero = false): Reader {
  return (value) => {
    const number = Number(value);
    const fits = (number >= least && number <= most) || (orZero && number === 0);
    return /^-?\d{1,9}$/.test(value) && fits
      ? number
      : { unreadable: `${orZero ? "0 or " : ""}a whole number from ${least} to ${most}, not "${value}"` };
  };
}

export function digits(least: number, most: number): Reader {
  return (value) =>
    /^\d*$/.test(value) && value.length >= least && value.length <= most
      ? value
      : { unreadable: `${least} to ${most} digits, not "${value}"` };
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

/** `1-5 08:00-12:00,1-5 13:00-18:00`: kept as a line for each stretch of each day. */
export const weekOfHours: Reader = async (value, where) => {
  const lines: string[] = [];
  for (const part of value.split(/[,;]/).map((it) => it.trim())) {
    const [, days = "", stretch] = /^([1-7](?:-[1-7])?) +(\S+)$/.exec(part) ?? [];
    const read = await weekdays(days, where);
    const times = stretch?.split("-").map((time) => timeOfDay(time, where)) ?? [];
    if (isUnreadable(read) || times.length !== 2 || times.some(isUnreadable))
      return { unreadable: `hours such as 1-5 08:00-12:00,1-5 13:00-18:00 (Monday is 1), not "${part}"` };
    for (const day of read as number[]) lines.push(`${day} ${stretch}`); // as `weekdays` gives them
  }
  return [...new Set(lines)].sort();
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
  URL.canParse(value) && /^https?:\P{Cc}*$/u.test(value)
    ? value
    : { unreadable: `an http or https URL, not "${value}"` };

export const link: Reader = (value) =>
  isLink(value)
    ? value
    : { unreadable: `an http or https URL such as https://crm.example.com/?tel={number}, not "${value}"` };

export const email: Reader = (value) =>
  /^[^\s\p{Cc}@<>"]{1,64}@[^\s\p{Cc}@<>"]{1,190}$/u.test(value)
    ? value
    : { unreadable: `an e-mail address, not "${value}"` };

const hostIn = (text: string) =>
  canonical(text) ?? (/^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text.toLowerCase() : undefined);

export const host: Reader = (value) => hostIn(value) ?? { unreadable: `a host name or address, not "${value}"` };

export const hostAndPort: Reader = (value) => {
  const [, six, named, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const place = hostIn(six ?? named ?? value);
  if (place === undefined) return { unreadable: `a host name or address, with a port or without, not "${value}"` };
  return port === undefined ? place : `${bracketed(place)}:${port}`;
};

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

/** A list in order; capitals or not. */
export function several(among: readonly string[]): Reader {
  return (value) => {
    const wanted = value.split(",").map((part) => part.trim());
    const list = wanted.map((name) => among.find((known) => known.toLowerCase() === name.toLowerCase()));
    return list.includes(undefined) ? { unreadable: `a list out of ${among.join(", ")}` } : list;
  };
}

export const words: Reader = (value) => value.split(",").flatMap((word) => word.trim() || []);

/** With commas between them; none when empty. */
export const emails: Reader = async (value, where) => {
  const addresses = (await words(value, where)) as string[]; // as `words` gives them
  for (const address of addresses) {
    const read = await email(address, where);
    if (isUnreadable(read)) return read;
  }
  return addresses.length <= MOST_ADDRESSES ? addresses : { unreadable: `at most ${MOST_ADDRESSES} addresses` };
};

/** Numbers that call for help, with commas between them: none that somebody inside has. */
export const shortNumbers: Reader = async (value, where) => {
  const numbers = (await words(value, where)) as string[]; // as `words` gives them
  const wrong = numbers.find((number) => !/^[0-9]{3,6}$/.test(number));
  if (wrong !== undefined) return { unreadable: `numbers of 3 to 6 digits, not "${wrong}"` };
  if (numbers.length > MOST_SHORT_NUMBERS) return { unreadable: `at most ${MOST_SHORT_NUMBERS} numbers` };
  const refused = await whyNotForHelp(where.db, where.exchangeId, numbers);
  return refused ? { unreadable: inWords(refused) } : numbers;
};

/** Origins of pages, with commas between them; none when empty. */
export const origins: Reader = async (value, where) => {
  const named = (await words(value, where)) as string[]; // as `words` gives them
  const wrong = named.find((word) => !URL.canParse(word) || new URL(word).origin !== word || !/^https?:/.test(word));
  return wrong === undefined ? named : { unreadable: `origins such as https://crm.example.com, not "${wrong}"` };
};

/** One of the exchange's own external numbers. */
export const ownNumber: Reader = async (value, where) => {
  const number = await outsideNumber(value, where);
  if (typeof number !== "string") return number;
  const found = await findExternalNumber(where.db, where.exchangeId, number);
  return found ? number : { unreadable: `${number} is not one of this exchange's numbers` };
};

export const trunk: Reader = async (value, { db, exchangeId }) =>
  (await findTrunk(db, exchangeId, value))?.name ?? { unreadable: `there is no trunk ${value}` };

export const extension: Reader = async (value, { db, exchangeId }) =>
  (await findExtension(db, exchangeId, value))?.number ?? { unreadable: `there is no extension ${value}` };

export const form: Reader = async (value, { db, exchangeId }) =>
  (await formCalled(db, exchangeId, value))?.name ?? { unreadable: `there is no form ${value}` };

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

/** `1:group/700;2:queue/200`: a phrase may hold a comma, so a semicolon parts the keys. */
export function keys(place: Place): Reader {
  return async (value, where) => {
    const targets: Record<string, string> = {};
    for (const part of value.split(";").flatMap((it) => it.trim() || [])) {
      const [, key, wanted] = /^([0-9*#]):(.+)$/.exec(part) ?? [];
      if (key === undefined || wanted === undefined)
        return { unreadable: `KEY:TARGET;KEY:TARGET with keys 0-9, * and #, not "${part}"` };
      const checked = await target(place)(wanted, where);
      if (typeof checked !== "string") return checked;
      targets[key] = checked;
    }
    return targets;
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
