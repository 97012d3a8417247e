// Every call that is up in this process, found by its uuid, its parties and their dialogs.

import type { DialogId } from "../../sip/dialogs.ts";
import type { Call } from "./call.ts";
import type { Goal } from "./goal.ts";
import type { Leg } from "./leg.ts";

export class LiveCalls {
  readonly #calls = new Map<string, Call<Goal>>();

  get size(): number {
    return this.#calls.size;
  }

  add(call: Call<Goal>): void {
    this.#calls.set(call.facts.uuid, call);
  }

  remove(call: Call<Goal>): void {
    this.#calls.delete(call.facts.uuid);
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
    return this.all(exchangeId).filter((call) => call.legs().some((leg) => isExtension(leg, extension)));
  }

  outsideLegs(exchangeId: number): number {
    const legs = this.all(exchangeId).flatMap((call) => call.legs());
    return legs.filter(({ party }) => party.is === "outside").length;
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

  /** The leg whose SIP dialog a Replaces names. */
  withDialog(
    exchangeId: number,
    { callId, localTag, remoteTag }: DialogId,
  ): { call: Call<Goal>; leg: Leg } | undefined {
    for (const call of this.all(exchangeId)) {
      const leg = call.legs().find((it) => {
        const dialog = it.dialog();
        return dialog?.callId === callId && dialog.localTag === localTag && dialog.remoteTag === remoteTag;
      });
      if (leg) return { call, leg };
    }
    return undefined;
  }
}

export function isExtension({ party }: Leg, number: string): boolean {
  return party.is === "extension" && party.number === number;
}
