// Keeps scanners, guessers and floods out: silence for a while, then another chance, then a longer silence.

import { between, type Clock, LONG_AGO, later, stampOf, type Ticks } from "../../../clock.ts";
import { headerOf, type Request } from "../../../sip/message/message.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import { fullBudget, spend } from "./budget.ts";
import { isScanner } from "./scanners.ts";
import { type Allowances, boundedSources, GUEST, type Offence, type SourceRecord, STRANGER } from "./sources.ts";

export type Abuse = {
  /** Before anything is spent on a message: false for silence. */
  guard(source: Source): "pass" | "drop";
  /** Before a request becomes a transaction: a scanner that says so gets no answer, not even this once. */
  screen(request: Request, source: Source): "pass" | "drop";
  /** Something an honest phone seldom does. */
  fault(source: Source, offence: Offence): void;
  /** Proved to be somebody: from now on a guest. */
  loggedIn(source: Source): void;
  counts(): AbuseCounts;
  /** Who is being ignored now, the longest penalty first. */
  boxed(): Boxed[];
};

export type AbuseCounts = {
  dropped: number;
  /** Penalties given, by the offence that brought the last point. */
  penalties: Record<Offence, number>;
  faults: Record<Offence, number>;
  sources: number;
};

export type Boxed = { address: string; offence: Offence; strikes: number; untilMs: number };

export type AbuseOptions = {
  clock: Clock;
  /** Addresses that are never ignored: trunks, and loopback where a proxy of ours stands in front. */
  isTrusted?(address: string): boolean;
  mostSources?: number;
};

const POINTS: Record<Offence, number> = {
  scanner: Number.POSITIVE_INFINITY,
  flood: Number.POSITIVE_INFINITY,
  "unknown-user": 2,
  "wrong-password": 1,
  malformed: 1,
};

const FIRST_PENALTY_MS = 60_000;
const LONGEST_PENALTY_MS = 3_600_000;
const GUEST_FOR_MS = 3 * 3_600_000;
/** Behaving for this long after a penalty wipes the slate. */
const FORGIVEN_AFTER_MS = 24 * 3_600_000;

const OFFENCES = ["scanner", "flood", "malformed", "wrong-password", "unknown-user"] as const;
const none = () => Object.fromEntries(OFFENCES.map((offence) => [offence, 0])) as Record<Offence, number>;

export function openAbuse({ clock, isTrusted = () => false, mostSources = 20_000 }: AbuseOptions): Abuse {
  const sources = boundedSources(mostSources);
  const penalties = none();
  const faults = none();
  let dropped = 0;

  return { guard, screen, fault, loggedIn, counts, boxed };

  function guard(source: Source): "pass" | "drop" {
    const { address } = speakerOf(source);
    const now = clock.ticks();
    const known = sources.find(address);
    // A look costs nothing and remembers nothing: an ignored source cannot make us work.
    if (known && known.boxedUntil > now) return drop();
    if (isTrusted(address)) return "pass";
    const record = sources.meet(address, now);
    if (spend(record.messages, 1, allowancesOf(record, now).messages, now)) return "pass";
    punish(record, "flood", now);
    return drop();
  }

  function screen(request: Request, source: Source): "pass" | "drop" {
    // At the door only the edge was seen.
    if (source.client && guard(source) === "drop") return "drop";
    if (!isScanner(headerOf(request, "User-Agent") ?? "")) return "pass";
    fault(source, "scanner");
    return isTrusted(speakerOf(source).address) ? "pass" : drop();
  }

  function fault(source: Source, offence: Offence): void {
    const { address } = speakerOf(source);
    faults[offence]++;
    if (isTrusted(address)) return;
    const now = clock.ticks();
    const record = sources.meet(address, now);
    if (!spend(record.faults, POINTS[offence], allowancesOf(record, now).faults, now)) punish(record, offence, now);
  }

  function punish(record: SourceRecord, offence: Offence, now: Ticks): void {
    if (between(record.boxedUntil, now) > FORGIVEN_AFTER_MS) record.strikes = 0;
    penalties[offence]++;
    record.boxedUntil = later(now, Math.min(FIRST_PENALTY_MS * 2 ** record.strikes, LONGEST_PENALTY_MS));
    record.strikes++;
    record.offence = offence;
    record.guestUntil = LONG_AGO;
    // Released, it begins with little: what brought it here again brings it back soon.
    record.faults = { left: STRANGER.faults.burst / 3, at: record.boxedUntil };
    record.messages = { left: STRANGER.messages.burst / 4, at: record.boxedUntil };
  }

  function loggedIn(source: Source): void {
    const { address } = speakerOf(source);
    const now = clock.ticks();
    const record = sources.find(address) ?? (isTrusted(address) ? undefined : sources.meet(address, now));
    if (!record) return;
    if (record.guestUntil <= now) {
      record.messages = fullBudget(GUEST.messages, now);
      record.faults = fullBudget(GUEST.faults, now);
    }
    record.guestUntil = later(now, GUEST_FOR_MS);
  }

  function counts(): AbuseCounts {
    return { dropped, penalties: { ...penalties }, faults: { ...faults }, sources: sources.size() };
  }

  function boxed(): Boxed[] {
    const now = clock.ticks();
    const list: Boxed[] = [];
    for (const [address, { boxedUntil, strikes, offence }] of sources.all())
      if (boxedUntil > now && offence) list.push({ address, offence, strikes, untilMs: stampOf(clock, boxedUntil) });
    return list.sort((one, other) => other.untilMs - one.untilMs);
  }

  function drop(): "drop" {
    dropped++;
    return "drop";
  }
}

function allowancesOf({ guestUntil }: SourceRecord, now: Ticks): Allowances {
  return guestUntil > now ? GUEST : STRANGER;
}
