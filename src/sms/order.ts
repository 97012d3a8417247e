// What a customer asks to be sent, checked whole before anything of it is written: the first fault refuses all of it.

import { openTurns } from "../in-turns.ts";
import type { SmsAccount } from "../store/sms-accounts.ts";
import type { Title } from "../store/sms-titles.ts";
import { bannedWords } from "./banned-words.ts";
import { type CodingRefusal, type Counted, countMessage, type DataCoding, isTooLong } from "./coding.ts";
import { oneOf, RECIPIENT_TYPES, type RecipientType } from "./consent.ts";
import { optOutLine, tellsHowToOptOut } from "./opt-out.ts";
import { type Phone, readPhone } from "./phone.ts";
import { readSendAt, readValidFor } from "./timing.ts";

export type OrderedMessage = {
  dests: readonly string[];
  ids: readonly string[];
  text: string;
  recipientType?: string | undefined;
};

/** As it was written: nothing here has been looked at yet. */
export type Order = {
  source?: string | undefined;
  messages: readonly OrderedMessage[];
  validFor?: string | undefined;
  sendAt?: string | undefined;
  customId?: string | undefined;
  coding?: string | undefined;
  commercial?: boolean | undefined;
  recipientType?: string | undefined;
  addOptOut?: boolean | undefined;
  /** Congratulates on behalf of the firm: it has to say how to get no more of them, as commercial ones do. */
  greets?: boolean | undefined;
};

export type SendRefusal =
  | CodingRefusal
  | {
      refused:
        | "INVALID_SOURCE_ADDRESS"
        | "NUMERIC_SOURCE_ADDRESS_NOT_ALLOWED"
        | "INVALID_PERIOD"
        | "INVALID_DELIVERY_TIME"
        | "MISSING_IYS_BRAND_CODE"
        | "AHS_AUTHORIZATION_ERROR"
        | "NO_AHS_BRAND_ERROR"
        | "INVALID_IYS_RECIPIENT_TYPE"
        | "MISSING_DESTINATION_ADDRESS"
        | "INVALID_DESTINATION_ADDRESS"
        | "MUKERRER_RAPORLAMA"
        | "INSUFFICIENT_CREDITS"
        | "FORBIDDEN_MESSAGE"
        | "MISSING_OPT_OUT"
        | "MESSAGE_COUNT_LIMIT_EXCEEDED";
    };

export type Letter = {
  dest: Phone;
  customId: string | null;
  counted: Counted;
  multiplier: number;
  commercialType: RecipientType | null;
  lacksOptOut: boolean;
};

export type Checked = {
  title: Title;
  sendAt: number;
  later: boolean;
  validMinutes: number;
  commercial: boolean;
  letters: Letter[];
};

export type Surroundings = {
  account: SmsAccount;
  titles: readonly Title[];
  tariffs: readonly { prefix: string; multiplier: number }[];
  now: number;
};

/** Destinations of all its messages. */
export const MOST_MESSAGES = 50_000;

/** An order of few messages, at once. */
export function checkOrder(order: Order, around: Surroundings): Checked | SendRefusal {
  const steps = checking(order, around);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Others have their turn after so many letters, and to write to somebody takes as long as so many. */
const LETTERS_AT_ONCE = 5_000;
const LETTERS_A_NUMBER = 20;

/** The same of any order. */
export async function checkOrderInTurns(order: Order, around: Surroundings): Promise<Checked | SendRefusal> {
  const turns = openTurns(LETTERS_AT_ONCE);
  const steps = checking(order, around);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const others = turns(step.value);
    if (others) await others;
  }
}

/** Tells how many letters each step took. */
function* checking(order: Order, around: Surroundings): Generator<number, Checked | SendRefusal> {
  const { messages } = order;
  if (messages.length === 0) return { refused: "MISSING_MESSAGE" };
  if (countDestinations(messages) > MOST_MESSAGES) return { refused: "MESSAGE_COUNT_LIMIT_EXCEEDED" };
  const title = chooseTitle(order.source, around.titles);
  if ("refused" in title) return title;
  const coding = readCoding(order.coding);
  if (coding === "invalid") return { refused: "INVALID_DATACODING" };
  const valid = readValidFor(order.validFor);
  if ("refused" in valid) return valid;
  const when = readSendAt(order.sendAt, around.now, around.account.timeZone);
  if ("refused" in when) return when;
  const commercial = order.commercial === true;
  const barred = commercial ? commercialBar(title, around.account) : undefined;
  if (barred) return barred;
  const written = yield* writeLetters(order, { ...around, title, coding });
  if ("refused" in written) return written;
  const { letters } = written;
  return { title, sendAt: when.at, later: when.later, validMinutes: valid.minutes, commercial, letters };
}

/** An empty source means the first title that was registered. */
export function chooseTitle(source: string | undefined, titles: readonly Title[]): Title | SendRefusal {
  const wanted = source?.trim().toLowerCase();
  const title = wanted ? titles.find(({ name }) => name.toLowerCase() === wanted) : titles[0];
  // A title of digits could pass for a telephone number, so the interface does not send from one.
  if (wanted && /^\+?\d+$/.test(wanted)) return { refused: "NUMERIC_SOURCE_ADDRESS_NOT_ALLOWED" };
  return title ?? { refused: "INVALID_SOURCE_ADDRESS" };
}

function countDestinations(messages: readonly OrderedMessage[]): number {
  return messages.reduce((sum, { dests }) => sum + Math.max(1, dests.length), 0);
}

function readCoding(written: string | undefined): DataCoding | undefined | "invalid" {
  if (written === undefined) return undefined;
  const coding = { 0: 0, 1: 1, 2: 2 }[written.trim()] as DataCoding | undefined;
  return coding ?? "invalid";
}

const STANDINGS: { [Standing in SmsAccount["registryStanding"]]: SendRefusal | undefined } = {
  authorised: undefined,
  unauthorised: { refused: "AHS_AUTHORIZATION_ERROR" },
  "no-brand": { refused: "NO_AHS_BRAND_ERROR" },
};

function commercialBar(title: Title, { registryStanding }: SmsAccount): SendRefusal | undefined {
  return (
    STANDINGS[registryStanding] ?? (title.iysBrandCode === null ? { refused: "MISSING_IYS_BRAND_CODE" } : undefined)
  );
}

type Writing = Surroundings & { title: Title; coding: DataCoding | undefined };

function* writeLetters(order: Order, writing: Writing): Generator<number, { letters: Letter[] } | SendRefusal> {
  const letters: Letter[] = [];
  const count = countingOnce(writing.coding);
  const isBanned = bannedWords(writing.account.bannedWords);
  for (const message of order.messages) {
    const type = order.commercial ? oneOf(RECIPIENT_TYPES, message.recipientType ?? order.recipientType) : null;
    if (type === undefined) return { refused: "INVALID_IYS_RECIPIENT_TYPE" };
    if (message.text.trim() === "") return { refused: "MISSING_MESSAGE" };
    if (isTooLong(message.text)) return { refused: "MESSAGE_TOO_LONG" };
    yield message.text.length;
    if (isBanned(message.text)) return { refused: "FORBIDDEN_MESSAGE" };
    if (message.dests.length === 0) return { refused: "MISSING_DESTINATION_ADDRESS" };
    const instructed = withInstruction(order, message.text, writing);
    if ("refused" in instructed) return instructed;
    const { text, lacksOptOut } = instructed;
    for (const [place, written] of message.dests.entries()) {
      const dest = readPhone(written);
      if (!dest) return { refused: "INVALID_DESTINATION_ADDRESS" };
      const counted = count(text, dest.abroad);
      if ("refused" in counted) return counted;
      const customId = message.ids.length === message.dests.length ? message.ids[place]!.trim() : null;
      const multiplier = multiplierFor(dest, writing.tariffs);
      letters.push({ dest, customId, counted, multiplier, commercialType: type, lacksOptOut });
      yield LETTERS_A_NUMBER;
    }
  }
  return { letters };
}

/** What sells or congratulates says how to get no more of it; what is done where it does not is the account's choice. */
export function withInstruction(
  { addOptOut, commercial, greets }: Pick<Order, "addOptOut" | "commercial" | "greets">,
  written: string,
  { account, title }: Pick<Writing, "account" | "title">,
): { text: string; lacksOptOut: boolean } | SendRefusal {
  const text = addOptOut ? withOptOut(written, title) : written;
  if (!(commercial || greets) || tellsHowToOptOut(text)) return { text, lacksOptOut: false };
  if (account.optOutMissing === "off") return { text, lacksOptOut: true };
  if (account.optOutMissing === "refuse") return { refused: "MISSING_OPT_OUT" };
  const appended = withOptOut(text, title);
  return { text: appended, lacksOptOut: !tellsHowToOptOut(appended) };
}

function withOptOut(text: string, { optOutNumber }: Title): string {
  return optOutNumber === null ? text : text + optOutLine(optOutNumber);
}

/** The longest prefix that fits; 0 where no tariff is known. */
function multiplierFor({ number, abroad }: Phone, tariffs: Writing["tariffs"]): number {
  if (!abroad) return 1;
  const fitting = tariffs.filter(({ prefix }) => number.startsWith(`00${prefix}`));
  return fitting.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.multiplier ?? 0;
}

/** One text often goes to thousands: it is counted once for here and once for abroad. */
function countingOnce(coding: DataCoding | undefined) {
  let last: { text: string; results: (Counted | CodingRefusal | undefined)[] } = { text: "", results: [] };
  return (text: string, abroad: boolean): Counted | CodingRefusal => {
    if (last.text !== text) last = { text, results: [] };
    const place = abroad ? 1 : 0;
    const counted = last.results[place] ?? countMessage(text, { coding, abroad });
    last.results[place] = counted;
    return counted;
  };
}
