// Every call that is up in this process, found by its uuid, its parties and their dialogs.

import type { DialogId } from "../../sip/dialogs.ts";
import type { Call } from "./call.ts";
import type { Goal } from "./goal.ts";
import type { Leg } from "./leg.ts";

/** A call and the extensions that it concerns now or did until now. */
export type CallMove = { call: Call<Goal>; extensions: ReadonlySet<string>; over: boolean };

export class LiveCalls {
  readonly #calls = new Map<string, Call<Goal>>();
  /** For each call whom it concerned when we last looked, and for each extension its calls. */
  readonly #concerned = new Map<Call<Goal>, Set<string>>();
  readonly #byExtension = new Map<string, Set<Call<Goal>>>();
  readonly #watchers = new Set<(move: CallMove) => void>();
  readonly #forHelp = new WeakSet<Call<Goal>>();

  get size(): number {
    return this.#calls.size;
  }

  /** By which an extension is in a call. */
  lineOf(exchangeId: number, uuid: string, extension: string): Leg | undefined {
    const legs = this.find(exchangeId, uuid)?.legs() ?? [];
    return legs.find((leg) => isExtension(leg, extension));
  }

  add(call: Call<Goal>): void {
    this.#calls.set(call.facts.uuid, call);
    this.moved(call);
  }

  remove(call: Call<Goal>): void {
    this.#calls.delete(call.facts.uuid);
    this.#note(call, new Set(), true);
  }

  /** Parties of the call have come, gone or begun to ring. */
  moved(call: Call<Goal>): void {
    if (this.#calls.get(call.facts.uuid) !== call) return;
    const onTheLine = call.legs().flatMap(({ party }) => (party.is === "extension" ? [party.number] : []));
    this.#note(call, new Set([...onTheLine, ...call.ringing.keys()]), false);
  }

  /** Call what is returned to stop watching. */
  watch(hear: (move: CallMove) => void): () => void {
    this.#watchers.add(hear);
    return () => void this.#watchers.delete(hear);
  }

  /** Whether the extension is on any call or is being rung. */
  isBusy(exchangeId: number, extension: string): boolean {
    return this.#byExtension.has(keyOf(exchangeId, extension));
  }

  all(exchangeId?: number): Call<Goal>[] {
    const calls = [...this.#calls.values()];
    return exchangeId === undefined ? calls : calls.filter(({ facts }) => facts.exchangeId === exchangeId);
  }

  /** Only of that exchange: one tenant's uuid is nothing to another. */
  find(exchangeId: number, uuid: string): Call<Goal> | undefined {
    const call = this.#calls.get(uuid.toLowerCase());
    return call?.facts.exchangeId === exchangeId ? call : undefined;
  }

  /** Those in which the extension is on the line. */
  of(exchangeId: number, extension: string): Call<Goal>[] {
    const calls = [...(this.#byExtension.get(keyOf(exchangeId, extension)) ?? [])];
    return calls.filter((call) => call.legs().some((leg) => isExtension(leg, extension)));
  }

  /** The one in which this party is now. */
  with(exchangeId: number, leg: Leg): Call<Goal> | undefined {
    return this.all(exchangeId).find((call) => call.legs().includes(leg));
  }

  /** Channels of the public network that the exchange uses now. */
  outsideLegs(exchangeId: number): number {
    const legs = this.all(exchangeId).flatMap((call) => call.legs());
    return legs.filter(({ party }) => party.is === "outside").length;
  }

  /** The leg came or goes by this trunk. */
  carriedBy(leg: Leg, trunk: string | null): void {
    leg.line = { ...leg.line, trunk };
  }

  /** It calls for help: nothing ends it but its own parties. */
  callsForHelp(call: Call<Goal>): void {
    this.#forHelp.add(call);
    call.stopClock();
  }

  /** Which call on that trunk can best be spared: a campaign's, else one that nobody has answered, else the latest. */
  sparedOn(exchangeId: number, trunk: string | null): Call<Goal> | undefined {
    const worth = ({ facts }: Call<Goal>) => (facts.origin === "campaign" ? 0 : facts.answerMs === undefined ? 1 : 2);
    return this.all(exchangeId)
      .filter((call) => !this.#forHelp.has(call) && call.legs().some((leg) => leg.line?.trunk === trunk))
      .toSorted((one, other) => worth(one) - worth(other) || other.facts.startMs - one.facts.startMs)[0];
  }

  /** The longest-ringing call, of that extension or of anyone. */
  ringing(exchangeId: number, extension?: string): { call: Call<Goal>; extension: string } | undefined {
    for (const call of this.all(exchangeId)) {
      const [first] = call.ringing.keys();
      const number = extension ?? first;
      if (number !== undefined && call.ringing.has(number)) return { call, extension: number };
    }
    return undefined;
  }

  /** The leg whose SIP dialog a Replaces names; one that still rings is with the extension it rings for. */
  withDialog(exchangeId: number, named: DialogId): { call: Call<Goal>; leg: Leg; rings?: string } | undefined {
    for (const call of this.all(exchangeId)) {
      const leg = call.legs().find((it) => isSame(it.dialog(), named));
      if (leg) return { call, leg };
      for (const [rings, { legs }] of call.ringing) {
        const rung = legs.find((it) => isSame(it.dialog(), named));
        if (rung) return { call, leg: rung, rings };
      }
    }
    return undefined;
  }

  #note(call: Call<Goal>, now: Set<string>, over: boolean): void {
    const { exchangeId } = call.facts;
    const before = this.#concerned.get(call) ?? new Set<string>();
    for (const extension of before) if (!now.has(extension)) this.#forget(keyOf(exchangeId, extension), call);
    for (const extension of now) {
      const key = keyOf(exchangeId, extension);
      this.#byExtension.set(key, (this.#byExtension.get(key) ?? new Set()).add(call));
    }
    if (over) this.#concerned.delete(call);
    else this.#concerned.set(call, now);
    const move = { call, extensions: new Set([...before, ...now]), over };
    for (const hear of this.#watchers) hear(move);
  }

  #forget(key: string, call: Call<Goal>): void {
    const calls = this.#byExtension.get(key);
    calls?.delete(call);
    if (calls?.size === 0) this.#byExtension.delete(key);
  }
}

function isSame(dialog: DialogId | undefined, { callId, localTag, remoteTag }: DialogId): boolean {
  return dialog?.callId === callId && dialog.localTag === localTag && dialog.remoteTag === remoteTag;
}

function keyOf(exchangeId: number, extension: string): string {
  return `${exchangeId} ${extension}`;
}

export function isExtension({ party }: Leg, number: string): boolean {
  return party.is === "extension" && party.number === number;
}
