// In which order a phone is asked for digests. SHA-256 comes first (RFC 8760), but some phones look at the first challenge
// only, and some give up when any names a digest they do not know. Who does not answer is asked otherwise the next time;
// what it got in with is remembered for its extension and what it calls itself.

import type { Log } from "../../../log.ts";
import type { DigestAlgorithm } from "../../../sip/digest-answer.ts";
import { remember } from "../../../sip/headers/remember.ts";
import type { Db } from "../../../store/db.ts";
import { readPhoneDigests, savePhoneDigest } from "../../../store/phone-digests.ts";
import { knowsOnlyMd5 } from "./old-phones.ts";

/** By number, as they are stored: each is tried after the one before it. */
const ORDERS: readonly (readonly DigestAlgorithm[])[] = [["SHA-256", "MD5"], ["MD5", "SHA-256"], ["MD5"]];
const SHA256_ALONE: readonly DigestAlgorithm[] = ["SHA-256"];
const STRONGEST_FIRST = 0;
const MD5_ALONE = 2;

export type AskedPhone = {
  readonly exchangeId: number | undefined;
  /** Who it says it is: of the To of a REGISTER, else of the From. */
  readonly user: string;
  readonly userAgent: string | undefined;
  readonly sourceAddress: string;
  /** Its exchange takes SHA-256 alone, whatever else it allows. */
  readonly strongOnly?: boolean;
  /** A web phone, which knows MD5 alone: what it logs in with is random, and gone in minutes. */
  readonly isWeb?: boolean;
};

export type ChallengeOrders = {
  /** `attempt`: the same for a request that is only repeated; undefined when this is no new attempt to register. */
  orderFor(phone: AskedPhone, attempt: string | undefined, mayWeaken: boolean): readonly DigestAlgorithm[];
  /** It has answered SHA-256 before, or everybody has to: an answer by MD5 is none. */
  wantsStrong(phone: AskedPhone, mayWeaken: boolean): boolean;
  /** It answered, if wrongly: it understands how it was asked. */
  answered(phone: AskedPhone): void;
  /** It answered one digest by the name of another. */
  misunderstood(phone: AskedPhone): void;
  /** It got in. `number`: its extension, where that is who it says it is. */
  gotIn(phone: AskedPhone, algorithm: DigestAlgorithm, number: string): void;
  /** By which it got in last; undefined while nobody knows. */
  lastOf(phone: Pick<AskedPhone, "exchangeId" | "user" | "userAgent">): DigestAlgorithm | undefined;
  /** Reads again how phones are asked: of exchanges that live here from now on. */
  load(): Promise<void>;
  close(): Promise<void>;
};

type Habit = { order: number; strong: boolean };
/** Asked and not answered yet. */
type Waiting = { order: number; attempt: string };

/** No attempt of anybody's: how it was asked last is how it is asked next. */
const ANSWERED = "";
const LONGEST_NAME = 200;
/** Strangers fill this, so the oldest go. */
const MOST_WAITING = 20_000;

/** By `sha-256` no phone but web phones is asked for MD5, and none gets in by it. */
export type AskedDigests = { sipDigests?: "any" | "sha-256" | undefined };

export async function openChallengeOrders(db: Db, log: Log, asked: AskedDigests = {}): Promise<ChallengeOrders> {
  const strongOnly = asked.sipDigests === "sha-256";
  const isStrict = ({ strongOnly: ofExchange = false, isWeb = false }) => !isWeb && (strongOnly || ofExchange);
  const habits = new Map<string, Habit>();
  const waiting = new Map<string, Waiting>();
  let writing = Promise.resolve();
  const load = async () => {
    for (const { exchangeId, number, userAgent, order, strong } of await readPhoneDigests(db))
      habits.set(keyOf(exchangeId, number, userAgent), { order, strong });
  };
  await load();

  return {
    orderFor(phone, attempt, mayWeaken) {
      if (isStrict(phone)) return SHA256_ALONE;
      if (knowsOnlyMd5(phone.userAgent)) return ORDERS[MD5_ALONE]!; // it is there
      const habit = habits.get(key(phone));
      if (habit?.strong && !mayWeaken) return ORDERS[STRONGEST_FIRST]!; // it is there
      return ORDERS[nextOrder(phone, attempt, habit?.order)]!; // one of three
    },
    wantsStrong: (phone, mayWeaken) =>
      isStrict(phone) || (!mayWeaken && !knowsOnlyMd5(phone.userAgent) && habits.get(key(phone))?.strong === true),
    answered(phone) {
      const asked = waiting.get(fromWhere(phone));
      if (asked) asked.attempt = ANSWERED;
    },
    misunderstood(phone) {
      if (!habits.get(key(phone))?.strong) note(phone, { order: MD5_ALONE, attempt: ANSWERED });
    },
    gotIn,
    lastOf: ({ exchangeId = 0, user, userAgent }) =>
      knowsOnlyMd5(userAgent) ? "MD5" : lastIn(habits.get(keyOf(exchangeId, user, userAgent))),
    load,
    close: () => writing,
  };

  function nextOrder(phone: AskedPhone, attempt: string | undefined, known: number | undefined): number {
    const asked = waiting.get(fromWhere(phone));
    const first = known ?? STRONGEST_FIRST;
    if (attempt === undefined || asked?.attempt === attempt) return asked?.order ?? first;
    const isNew = asked === undefined || asked.attempt === ANSWERED;
    const order = isNew ? (asked?.order ?? first) : (asked.order + 1) % ORDERS.length;
    note(phone, { order, attempt });
    return order;
  }

  function note(phone: AskedPhone, asked: Waiting): void {
    waiting.delete(fromWhere(phone));
    waiting.set(fromWhere(phone), asked);
    if (waiting.size <= MOST_WAITING) return;
    for (const oldest of waiting.keys()) {
      waiting.delete(oldest);
      return;
    }
  }

  function gotIn(phone: AskedPhone, algorithm: DigestAlgorithm, number: string): void {
    if (knowsOnlyMd5(phone.userAgent)) return;
    const before = habits.get(key(phone));
    const asked = waiting.get(fromWhere(phone));
    waiting.delete(fromWhere(phone));
    const strong = before?.strong === true || algorithm === "SHA-256";
    const worked = asked?.order ?? before?.order ?? STRONGEST_FIRST;
    const habit = { strong, order: algorithm === "SHA-256" ? STRONGEST_FIRST : worked };
    if (habit.order === before?.order && strong === before.strong) return;
    if (phone.exchangeId === undefined || number !== phone.user) return;
    habits.set(key(phone), habit);
    keep(phone.exchangeId, { number, userAgent: nameOf(phone.userAgent), ...habit });
  }

  function keep(exchangeId: number, digest: Parameters<typeof savePhoneDigest>[2]): void {
    writing = writing
      .then(() => savePhoneDigest(db, exchangeId, digest))
      .catch((error: Error) => log.warn({ error: error.message }, "a phone's digest could not be kept"));
  }
}

function lastIn(habit: Habit | undefined): DigestAlgorithm | undefined {
  return habit && (habit.strong && habit.order === STRONGEST_FIRST ? "SHA-256" : "MD5");
}

const nameOf = (userAgent: string | undefined) => (userAgent ?? "").slice(0, LONGEST_NAME);
const keyOf = (exchangeId: number, user: string, userAgent: string | undefined) =>
  `${exchangeId} ${user.slice(0, LONGEST_NAME)} ${nameOf(userAgent)}`;
const key = remember(({ exchangeId = 0, user, userAgent }: AskedPhone) => keyOf(exchangeId, user, userAgent));
const fromWhere = remember((phone: AskedPhone) => `${phone.sourceAddress} ${key(phone)}`);
