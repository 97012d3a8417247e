// Who is on the line of one call, and who was: its legs, those who have talked, and what is left of those who have gone.

import type { Clock } from "../../clock.ts";
import { type CallEnd, pickedUp } from "./call-facts.ts";
import type { Ending, LegId } from "./call-machine.ts";
import type { HangupCause } from "./causes.ts";
import type { KeptParties } from "./kept-call.ts";
import { factsBy, type Leg } from "./leg.ts";
import type { LegFacts, Party } from "./party.ts";

type Ended = Required<Pick<CallEnd, "by" | "byUs" | "endedBy" | "legs">>;

export class Parties {
  /** Whose side the record calls the caller's. */
  callerSide: LegId | undefined;
  /** What the record says of those who have gone. */
  readonly gone: LegFacts[];
  /** Extensions that have talked in it, whether they are still there or not. */
  readonly took: Set<string>;
  readonly #legs = new Map<LegId, Leg>();
  readonly #talked: Set<LegId>;
  readonly #rangBefore: Set<string>;
  readonly #digits = new Map<LegId, (digit: string) => void>();

  constructor(legs: readonly Leg[], kept?: KeptParties) {
    for (const leg of legs) this.#legs.set(leg.id, leg);
    this.callerSide = kept ? kept.callerSide : legs[0]?.id;
    this.gone = kept?.gone ?? [];
    this.#talked = new Set(kept?.talked);
    this.took = new Set(kept?.took);
    const rang = kept?.ringing.filter(({ direction, invite }) => direction === "out" && invite.rang) ?? [];
    this.#rangBefore = new Set([...rang, ...(kept?.strangers ?? [])].map(({ party }) => nameOf(party)));
  }

  /** `called`: whom we have called for the call, in it or not. */
  keep(called: readonly Leg[] = []): KeptParties {
    const all = this.all();
    const others = called.filter(({ id }) => !this.#legs.has(id));
    return {
      callerSide: this.callerSide,
      legs: all.flatMap((leg) => leg.keep() ?? []),
      ringing: [...all, ...others].flatMap((leg) => leg.keepRinging() ?? []),
      strangers: others.flatMap((leg) => leg.keep() ?? []),
      talked: [...this.#talked],
      took: [...this.took],
      gone: this.gone,
    };
  }

  /** Whether that is news: whoever rang when an earlier process stopped rings on, or again. */
  rings({ party }: Leg): boolean {
    return !this.#rangBefore.delete(nameOf(party));
  }

  /** `by` undefined: nobody hung up. */
  endedBy(by: LegId | undefined, ending: Ending): Ended {
    const isRefused = by === undefined && isRefusal(ending);
    const side = isRefused || (by !== undefined && by !== this.callerSide) ? "callee" : "caller";
    const isOurs = ending.lost || (by === undefined && !isRefused);
    return { by: side, byUs: by === undefined, endedBy: ending.who ?? (isOurs ? "exchange" : side), legs: this.gone };
  }

  all(): Leg[] {
    return [...this.#legs.values()];
  }

  get(id: LegId | undefined): Leg | undefined {
    return id === undefined ? undefined : this.#legs.get(id);
  }

  /** False when it was there already. */
  add(leg: Leg): boolean {
    const isNew = !this.#legs.has(leg.id);
    this.#legs.set(leg.id, leg);
    return isNew;
  }

  /** False when it had gone before. */
  remove(leg: Leg, cause: HangupCause, clock: Clock): boolean {
    if (!this.#legs.delete(leg.id)) return false;
    this.gone.push({ ...factsBy(clock, leg), cause });
    return true;
  }

  /** Of two who are about to talk: who did not before, and the extension that picked up. */
  meet(a: Leg, b: Leg): { newcomers: Leg[]; by: Leg | undefined } {
    const newcomers = [b, a].filter(({ id }) => !this.#talked.has(id));
    for (const { id, party } of newcomers) {
      this.#talked.add(id);
      if (party.is === "extension") this.took.add(party.number);
    }
    return { newcomers, by: pickedUp(newcomers) };
  }

  /** Keys that this party presses, one listener at a time, until the returned function is called. */
  onDigits(leg: Leg, hear: (digit: string) => void): () => void {
    this.#digits.set(leg.id, hear);
    return () => {
      if (this.#digits.get(leg.id) === hear) this.#digits.delete(leg.id);
    };
  }

  pressed(leg: Leg, digit: string): void {
    this.#digits.get(leg.id)?.(digit);
  }
}

/** Whoever was called said no, of his own accord. */
function isRefusal({ cause, sip }: Ending): boolean {
  return sip !== undefined && (cause === "USER_BUSY" || cause === "CALL_REJECTED");
}

const nameOf = ({ is, number }: Party) => `${is} ${number}`;
