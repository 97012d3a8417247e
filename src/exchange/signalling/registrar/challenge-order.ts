// In which order a phone is asked for digests. SHA-256 comes first (RFC 8760), but some phones look at the first challenge
// only, and some give up when any names a digest they do not know. Who does not answer is asked otherwise the next time;
// what it got in with is remembered for its extension and what it calls itself. Whether MD5 is taken: proved-phones.ts.

import type { Log } from "../../../log.ts";
import type { DigestAlgorithm } from "../../../sip/digest-answer.ts";
import { remember } from "../../../sip/headers/remember.ts";
import type { Db } from "../../../store/db.ts";
import { readPhoneDigests, savePhoneDigest } from "../../../store/phone-digests.ts";
import type { AskedPhone } from "./asked-phone.ts";
import { knowsOnlyMd5 } from "./old-phones.ts";
import { openProvedPhones } from "./proved-phones.ts";

/** By number, as they are stored: each is tried after the one before it. */
const ORDERS: readonly (readonly DigestAlgorithm[])[] = [["SHA-256", "MD5"], ["MD5", "SHA-256"], ["MD5"]];
const SHA256_ALONE: readonly DigestAlgorithm[] = ["SHA-256"];
const STRONGEST_FIRST = 0;
const MD5_ALONE = 2;

export type ChallengeOrders = {
  /** `attempt`: the same for a request that is only repeated; undefined when this is no new attempt to register. */
  orderFor(phone: AskedPhone, attempt: string | undefined, mayWeaken: boolean): readonly DigestAlgorithm[];
  /** Everybody has to answer SHA-256: an answer by MD5 is not even looked at. */
  isStrict(phone: AskedPhone): boolean;
  /** A phone of the extension has answered SHA-256 before, and this is none that never did: an answer by MD5 is none. */
  wantsStrong(phone: AskedPhone, mayWeaken: boolean): boolean;
  /** It has the password, and showed it by MD5, which is not taken: from now on it is asked for SHA-256 first. */
  tooWeak(phone: AskedPhone): void;
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
  const note = (phone: AskedPhone, asked: Waiting) => putLast(waiting, fromWhere(phone), asked);
  let writing = Promise.resolve();
  const proved = await openProvedPhones(db, log);
  const tell = onceEach(log);
  await readHabits(db, habits);

  return {
    orderFor(phone, attempt, mayWeaken) {
      if (isStrict(phone)) return SHA256_ALONE;
      // Once it has shown the password by too little, more is asked than its name says that it knows.
      const isSpared = mayWeaken || !waiting.has(fromWhere(phone));
      if (isSpared && knowsOnlyMd5(phone.userAgent)) return ORDERS[MD5_ALONE]!; // it is there
      const habit = habits.get(key(phone));
      if (habit?.strong && !mayWeaken) return ORDERS[STRONGEST_FIRST]!; // it is there
      return ORDERS[nextOrder(phone, attempt, habit?.order)]!; // one of three
    },
    isStrict,
    wantsStrong: (phone, mayWeaken) =>
      isStrict(phone) || !(mayWeaken || phone.isWeb || phone.isForHelp || proved.mayUseMd5(phone)),
    tooWeak(phone) {
      note(phone, { order: STRONGEST_FIRST, attempt: ANSWERED });
      tell(phone);
    },
    answered(phone) {
      const asked = waiting.get(fromWhere(phone));
      if (asked) asked.attempt = ANSWERED;
    },
    misunderstood(phone) {
      if (!habits.get(key(phone))?.strong) note(phone, { order: MD5_ALONE, attempt: ANSWERED });
    },
    gotIn,
    lastOf: ({ exchangeId = 0, user, userAgent }) =>
      lastIn(habits.get(keyOf(exchangeId, user, userAgent))) ?? (knowsOnlyMd5(userAgent) ? "MD5" : undefined),
    load: async () => void (await Promise.all([readHabits(db, habits), proved.load()])),
    close: async () => void (await Promise.all([writing, proved.close()])),
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

  function gotIn(phone: AskedPhone, algorithm: DigestAlgorithm, number: string): void {
    proved.gotIn(phone, algorithm);
    const isOld = knowsOnlyMd5(phone.userAgent);
    if (isOld && algorithm === "MD5") return;
    const before = habits.get(key(phone));
    const asked = waiting.get(fromWhere(phone));
    // What its name says is wrong, and only this says so.
    if (isOld) note(phone, { order: STRONGEST_FIRST, attempt: ANSWERED });
    else waiting.delete(fromWhere(phone));
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

async function readHabits(db: Db, habits: Map<string, Habit>): Promise<void> {
  for (const { exchangeId, number, userAgent, order, strong } of await readPhoneDigests(db))
    habits.set(keyOf(exchangeId, number, userAgent), { order, strong });
}

function putLast(waiting: Map<string, Waiting>, key: string, asked: Waiting): void {
  waiting.delete(key);
  waiting.set(key, asked);
  if (waiting.size <= MOST_WAITING) return;
  for (const oldest of waiting.keys()) {
    waiting.delete(oldest);
    return;
  }
}

/** Whoever looks after the exchange reads what to do, though not as often as the phone tries. */
function onceEach(log: Log): (phone: AskedPhone) => void {
  const told = new Set<string>();
  return (phone) => {
    if (told.has(fromWhere(phone))) return;
    if (told.size >= MOST_WAITING) told.clear();
    told.add(fromWhere(phone));
    const { exchangeId, user, userAgent, sourceAddress: address } = phone;
    const why =
      "a right answer by MD5 is not taken, since a phone of the extension has used SHA-256; md5-again lets it in";
    log.warn({ exchangeId, user, userAgent, address }, why);
  };
}

function lastIn(habit: Habit | undefined): DigestAlgorithm | undefined {
  return habit && (habit.strong && habit.order === STRONGEST_FIRST ? "SHA-256" : "MD5");
}

const nameOf = (userAgent: string | undefined) => (userAgent ?? "").slice(0, LONGEST_NAME);
const keyOf = (exchangeId: number, user: string, userAgent: string | undefined) =>
  `${exchangeId} ${user.slice(0, LONGEST_NAME)} ${nameOf(userAgent)}`;
const key = remember(({ exchangeId = 0, user, userAgent }: AskedPhone) => keyOf(exchangeId, user, userAgent));
const fromWhere = remember((phone: AskedPhone) => `${phone.sourceAddress} ${key(phone)}`);
