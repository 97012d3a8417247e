// Keeps scanners, guessers and floods out: silence for a while, then another chance, then a longer silence. A datagram may
// say that it comes from anywhere, so nobody is silenced for one unless it holds a nonce that we gave to that address; and
// never an address where somebody has logged in.

import { holderOf } from "../../../addresses.ts";
import { between, type Clock, LONG_AGO, later, stampOf, type Ticks } from "../../../clock.ts";
import { headerOf, type Request } from "../../../sip/message/message.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import { type Budget, fullBudget, has, spend } from "./budget.ts";
import { type Crowds, openCrowds } from "./crowd.ts";
import { openOwnGuesses } from "./own-guesses.ts";
import { isConnected, placeOf, tryOf, wayOf } from "./place.ts";
import { isScanner } from "./scanners.ts";
import {
  type Allowances,
  boundedSources,
  CARRIER,
  FAVOURS,
  GUEST,
  kept,
  type Offence,
  type SourceRecord,
  type Sources,
  STRANGER,
} from "./sources.ts";

export type Abuse = {
  /** Before anything is spent on a message: false for silence. */
  guard(source: Source): "pass" | "drop";
  /** Before a request becomes a transaction: a scanner that says so gets no answer, not even this once. */
  screen(request: Request, source: Source): "pass" | "drop";
  /** Something an honest phone seldom does. `isProved`: it came with a nonce of ours, so from where it says. */
  fault(source: Source, offence: Offence, login?: { user: string; isProved: boolean }): void;
  /** Whether a password of that user's is looked at, right or wrong, when it comes from there. */
  mayTry(source: Source, user: string): boolean;
  /** Proved to be somebody: from now on a guest. */
  loggedIn(source: Source, user: string): void;
  /** Whether somebody there has answered us lately, or is trusted to be there. */
  isProved(source: Source): boolean;
  /** Whether a stranger may have an answer larger than his question: a few. */
  favour(source: Source): boolean;
  counts(): AbuseCounts;
  /** Who is being ignored now, the longest penalty first. */
  boxed(): Boxed[];
};

export type AbuseCounts = {
  dropped: number;
  /** Logins that were put off: too many wrong ones of that user, or from that address. */
  putOff: number;
  /** Penalties given, by the offence that brought the last point. */
  penalties: Record<Offence, number>;
  faults: Record<Offence, number>;
  sources: number;
};

export type Boxed = { address: string; offence: Offence; strikes: number; untilMs: number };

export type AbuseOptions = {
  clock: Clock;
  /** Edges, which are never ignored: they tell who speaks, and who guesses is counted there. */
  isTrusted?(address: string): boolean;
  /** This machine's own, where a proxy of ours may stand in front: never ignored either, but whoever has an account here
   * can say what he likes from there, so logins are put off after wrong passwords, by user and of all together. */
  isOurs?(address: string): boolean;
  /** Trunks: never ignored, and heard more of than of others. */
  isCarrier?(address: string): boolean;
  mostSources?: number;
};

const POINTS: Record<Offence, number> = {
  scanner: Number.POSITIVE_INFINITY,
  flood: Number.POSITIVE_INFINITY,
  "unknown-user": 2,
  "wrong-password": 1,
  malformed: 1,
};

/** Wrong passwords of one user from one address where others log in; who has logged in there himself is not counted. */
const TRIES = { burst: 10, perSecond: 1 / 60 };
const MOST_PHONES = 50_000;

const FIRST_PENALTY_MS = 60_000;
const LONGEST_PENALTY_MS = 3_600_000;
const GUEST_FOR_MS = 3 * 3_600_000;
/** A phone that logged in so lately changes nothing by another login. */
const LATELY_MS = 60_000;
/** Behaving for this long after a penalty wipes the slate. */
const FORGIVEN_AFTER_MS = 24 * 3_600_000;

const OFFENCES = ["scanner", "flood", "malformed", "wrong-password", "unknown-user"] as const;
const none = () => Object.fromEntries(OFFENCES.map((offence) => [offence, 0])) as Record<Offence, number>;

/** A phone that has logged in lately, at its address and port. */
type KnownPhone = { user: string; messages: Budget; until: Ticks };

export function openAbuse(options: AbuseOptions): Abuse {
  return new Watchman(options);
}

class Watchman implements Abuse {
  readonly #clock: Clock;
  readonly #isTrusted: (address: string) => boolean;
  readonly #isOurs: (address: string) => boolean;
  readonly #isCarrier: (address: string) => boolean;
  readonly #most: number;
  readonly #sources: Sources;
  readonly #phones = new Map<string, KnownPhone>();
  readonly #tries = new Map<string, Budget>();
  readonly #favours = new Map<string, Budget>();
  readonly #crowds: Crowds;
  readonly #ownGuesses = openOwnGuesses({ rememberedMs: GUEST_FOR_MS, most: MOST_PHONES });
  readonly #penalties = none();
  readonly #faults = none();
  #dropped = 0;
  #putOff = 0;

  constructor(options: AbuseOptions) {
    const { clock, isTrusted = () => false, isOurs = () => false, isCarrier = () => false } = options;
    const { mostSources = 20_000 } = options;
    this.#clock = clock;
    this.#isTrusted = isTrusted;
    this.#isOurs = isOurs;
    this.#isCarrier = isCarrier;
    this.#most = mostSources;
    this.#sources = boundedSources(mostSources);
    this.#crowds = openCrowds(mostSources, clock.ticks());
  }

  guard = (source: Source): "pass" | "drop" => {
    const { address } = speakerOf(source);
    if (this.#isTrusted(address) || this.#isOurs(address)) return "pass";
    const now = this.#clock.ticks();
    const phone = this.#phones.get(placeOf(source));
    if (phone && phone.until > now) return this.#verdict(spend(phone.messages, 1, GUEST.messages, now));
    const way = wayOf(source);
    if (this.#isCarrier(address)) return this.#verdict(this.#crowds.carriers[way].isHeard(address, now));
    const found = this.#sources.find(address);
    // A look costs nothing and remembers nothing: an ignored source cannot make us work.
    if (found && found.boxedUntil > now) return this.#verdict(false);
    if (found && found.guestUntil > now)
      return this.#verdict(spend(this.#sources.meet(address, now)[way], 1, GUEST.messages, now));
    // A datagram may come from anywhere: what is too much is passed over, and nobody pays for it later.
    if (way === "datagrams") return this.#verdict(this.#crowds.strangers.datagrams.isHeard(address, now));
    return this.#verdict(this.#isComerHeard(address, now));
  };

  screen = (request: Request, source: Source): "pass" | "drop" => {
    // At the door only the edge was seen.
    if (source.client && this.guard(source) === "drop") return "drop";
    if (!isScanner(headerOf(request, "User-Agent") ?? "")) return "pass";
    this.fault(source, "scanner");
    const { address } = speakerOf(source);
    return this.#verdict(this.#isTrusted(address) || this.#isOurs(address) || this.#isCarrier(address));
  };

  fault(source: Source, offence: Offence, login?: { user: string; isProved: boolean }): void {
    const { address } = speakerOf(source);
    this.#faults[offence]++;
    if (this.#isTrusted(address) || !(login?.isProved || isConnected(source))) return;
    const now = this.#clock.ticks();
    if (this.#isOurs(address)) {
      if (!login) return;
      this.#ownGuesses.wrong(now);
      return void spend(this.#triesOf(address, login.user, now), 1, TRIES, now);
    }
    const record = this.#sources.meet(address, now);
    const allowances = this.#allowancesOf(address, record, now);
    const isWithin = spend(record.faults, POINTS[offence], allowances.faults, now);
    if (allowances === STRANGER && !isWithin) return this.#punish(address, offence, now);
    if (login) spend(this.#triesOf(address, login.user, now), 1, TRIES, now);
  }

  mayTry(source: Source, user: string): boolean {
    const { address } = speakerOf(source);
    if (this.#isTrusted(address)) return true;
    const now = this.#clock.ticks();
    const phone = this.#phones.get(placeOf(source));
    if (phone && phone.until > now && phone.user === user) return true;
    const mayTry = this.#isWithinFaults(address, user, now) && this.#isWithinTries(address, user, now);
    if (!mayTry) this.#putOff++;
    return mayTry;
  }

  loggedIn(source: Source, user: string): void {
    const { address } = speakerOf(source);
    if (this.#isTrusted(address)) return;
    const now = this.#clock.ticks();
    const place = placeOf(source);
    const known = this.#phones.get(place);
    if (known?.user === user && between(now, known.until) > GUEST_FOR_MS - LATELY_MS) return;
    const until = later(now, GUEST_FOR_MS);
    if (this.#isOurs(address)) this.#ownGuesses.loggedIn(user, now);
    else this.#welcome(address, { now, until });
    const fresh = { user, messages: fullBudget(GUEST.messages, now), until };
    const phone = kept(this.#phones, place, { record: fresh, most: MOST_PHONES });
    Object.assign(phone, { user, until });
  }

  isProved = (source: Source): boolean => {
    const { address } = speakerOf(source);
    if (this.#isTrusted(address) || this.#isOurs(address) || this.#isCarrier(address)) return true;
    return (this.#sources.find(address)?.guestUntil ?? LONG_AGO) > this.#clock.ticks();
  };

  favour = (source: Source): boolean => {
    const now = this.#clock.ticks();
    const fresh = { record: fullBudget(FAVOURS, now), most: this.#most };
    return spend(kept(this.#favours, holderOf(speakerOf(source).address), fresh), 1, FAVOURS, now);
  };

  counts(): AbuseCounts {
    const [penalties, faults] = [{ ...this.#penalties }, { ...this.#faults }];
    const sources = this.#sources.size() + this.#crowds.strangers.datagrams.size;
    return { dropped: this.#dropped, putOff: this.#putOff, penalties, faults, sources };
  }

  boxed(): Boxed[] {
    const now = this.#clock.ticks();
    const list: Boxed[] = [];
    for (const [address, { boxedUntil, strikes, offence }] of this.#sources.all())
      if (boxedUntil > now && offence)
        list.push({ address, offence, strikes, untilMs: stampOf(this.#clock, boxedUntil) });
    return list.sort((one, other) => other.untilMs - one.untilMs);
  }

  /** A stranger by his connection. */
  #isComerHeard(address: string, now: Ticks): boolean {
    const { connections } = this.#sources.meet(address, now);
    if (spend(connections, 1, STRANGER.messages, now)) return this.#crowds.strangers.connections.isHeard(now);
    this.#punish(address, "flood", now);
    return false;
  }

  #welcome(address: string, { now, until }: { now: Ticks; until: Ticks }): void {
    const record = this.#sources.know(address, now);
    if (record.guestUntil <= now) {
      record.connections = fullBudget(GUEST.messages, now);
      record.datagrams = fullBudget(GUEST.messages, now);
      record.faults = fullBudget(GUEST.faults, now);
    }
    record.guestUntil = until;
    record.boxedUntil = LONG_AGO;
  }

  /** Strangers pay with silence for too many. */
  #isWithinFaults(address: string, user: string, now: Ticks): boolean {
    if (this.#isOurs(address)) return this.#ownGuesses.mayTry(user, now);
    const record = this.#sources.find(address);
    if (!record) return true;
    const allowances = this.#allowancesOf(address, record, now);
    return allowances === STRANGER || has(record.faults, 1, allowances.faults, now);
  }

  #isWithinTries(address: string, user: string, now: Ticks): boolean {
    const isStranger = () => {
      const record = this.#sources.find(address);
      return !record || this.#allowancesOf(address, record, now) === STRANGER;
    };
    if (!this.#isOurs(address) && isStranger()) return true;
    const tries = this.#tries.get(tryOf(address, user));
    return !tries || has(tries, 1, TRIES, now);
  }

  #punish(address: string, offence: Offence, now: Ticks): void {
    const record = this.#sources.know(address, now);
    if (between(record.boxedUntil, now) > FORGIVEN_AFTER_MS) record.strikes = 0;
    this.#penalties[offence]++;
    record.boxedUntil = later(now, Math.min(FIRST_PENALTY_MS * 2 ** record.strikes, LONGEST_PENALTY_MS));
    record.strikes++;
    record.offence = offence;
    // Released, it begins with little: what brought it here again brings it back soon.
    record.faults = { left: STRANGER.faults.burst / 3, at: record.boxedUntil };
    record.connections = { left: STRANGER.messages.burst / 4, at: record.boxedUntil };
  }

  #triesOf(address: string, user: string, now: Ticks): Budget {
    return kept(this.#tries, tryOf(address, user), { record: fullBudget(TRIES, now), most: this.#most });
  }

  #allowancesOf(address: string, { guestUntil }: SourceRecord, now: Ticks): Allowances {
    if (this.#isCarrier(address)) return CARRIER;
    return guestUntil > now ? GUEST : STRANGER;
  }

  #verdict(passes: boolean): "pass" | "drop" {
    if (passes) return "pass";
    this.#dropped++;
    return "drop";
  }
}
