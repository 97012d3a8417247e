// The queue desk: a floor for each exchange that needs one, kept in step with the store, the lines and the phones.

import { type Again, runAgain } from "../../../again.ts";
import type { Clock } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { ReportUnexpected } from "../../../machine.ts";
import type { Callback } from "../../../store/callbacks.ts";
import type { WrapUp } from "../../../store/wrap-ups.ts";
import type { Leg } from "../../calls/leg.ts";
import type { Wake } from "../../lead/waking.ts";
import { Callbacks, type CallbacksParts } from "./callbacks.ts";
import { Floor } from "./floor.ts";
import type { QueueStore } from "./queue-store.ts";
import { type Debt, MISSED_CALLS } from "./roster.ts";
import { type Asleep, openRousing } from "./rousing.ts";

export type QueueDeskParts = {
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  store: QueueStore;
  isReachable(exchangeId: number, extension: string): boolean;
  isBusy(exchangeId: number, extension: string): boolean;
  chance(): number;
  /** Undefined: no browser can be told of a call. */
  asleep?: ((exchangeId: number) => Promise<Asleep>) | undefined;
  wake?: Wake | undefined;
  /** By which an extension is in a call now. */
  lineOf?(exchangeId: number, callUuid: string, extension: string): Leg | undefined;
  whyNoCallback(exchangeId: number, callback: Callback): ReturnType<CallbacksParts["whyNot"]>;
  dial(exchangeId: number, ...request: Parameters<CallbacksParts["dial"]>): ReturnType<CallbacksParts["dial"]>;
};

export type FloorChange = { exchangeId: number } & ({ agent: string } | { queue: string });

/** What one exchange has of it: the callers on the line, and those who will be called back. */
export type Hall = { floor: Floor; callbacks: Callbacks };

export class QueueDesk {
  readonly store: QueueStore;
  readonly #parts: QueueDeskParts;
  readonly #halls = new Map<number, Promise<Hall>>();
  readonly #floors = new Map<number, Floor>();
  readonly #watchers = new Set<(change: FloorChange) => void>();
  readonly #occupied = new Map<string, number>();
  readonly #reading = new Map<number, Again<void>>();

  constructor(parts: QueueDeskParts) {
    this.#parts = parts;
    this.store = parts.store;
    parts.store.onChange((changed) => {
      for (const exchangeId of changed === undefined ? this.#floors.keys() : [changed])
        void this.#readAgain(exchangeId);
    });
  }

  hall(exchangeId: number): Promise<Hall> {
    const found = this.#halls.get(exchangeId) ?? this.#openHall(exchangeId);
    this.#halls.set(exchangeId, found);
    // A store that did not answer is asked again next time.
    found.catch(() => this.#halls.delete(exchangeId));
    return found;
  }

  /** The floor, if somebody has been there since the start. */
  open(exchangeId: number): Floor | undefined {
    return this.#floors.get(exchangeId);
  }

  /** The lines or phones of these extensions are different now. */
  moved(exchangeId: number, extensions: Iterable<string>): void {
    const floor = this.#floors.get(exchangeId);
    if (!floor) return;
    for (const extension of extensions) if (floor.roster.get(extension)) return floor.think();
  }

  /** Somebody is on his phone without a call of ours that could say so; until what is returned is called. */
  occupy(exchangeId: number, extension: string): () => void {
    const line = `${exchangeId} ${extension}`;
    this.#occupied.set(line, (this.#occupied.get(line) ?? 0) + 1);
    return () => {
      const left = (this.#occupied.get(line) ?? 1) - 1;
      if (left > 0) this.#occupied.set(line, left);
      else this.#occupied.delete(line);
      this.moved(exchangeId, [extension]);
    };
  }

  /** Call what is returned to stop listening. */
  onChange(hear: (change: FloorChange) => void): () => void {
    this.#watchers.add(hear);
    return () => void this.#watchers.delete(hear);
  }

  /** Opens the floors of those who owe callbacks from before the last stop. */
  async recall(): Promise<void> {
    for (const exchangeId of await this.store.exchangesOwing()) await this.hall(exchangeId);
  }

  /** The exchange lives elsewhere from now on. */
  async drop(exchangeId: number): Promise<void> {
    const hall = await this.#halls.get(exchangeId)?.catch(() => undefined);
    this.#halls.delete(exchangeId);
    this.#floors.delete(exchangeId);
    this.#reading.delete(exchangeId);
    hall?.callbacks.close();
    hall?.floor.close();
  }

  async close(): Promise<void> {
    for (const opened of this.#halls.values()) {
      const hall = await opened.catch(() => undefined); // never opened: whoever asked for it was told why
      hall?.callbacks.close();
      hall?.floor.close();
    }
  }

  async #openHall(exchangeId: number): Promise<Hall> {
    const { clock, log, unexpected, chance, isReachable, isBusy, dial, asleep } = this.#parts;
    const floor: Floor = new Floor({
      clock,
      unexpected,
      chance,
      lineOf: (callUuid, extension) => this.#parts.lineOf?.(exchangeId, callUuid, extension),
      isReachable: (extension) => isReachable(exchangeId, extension),
      isBusy: (extension) => isBusy(exchangeId, extension) || this.#occupied.has(`${exchangeId} ${extension}`),
      giveBreak: (agent) => void this.#giveBreak(exchangeId, agent),
      owe: (debt) => this.#owe(exchangeId, debt),
      onWrappedUp: (wrapUp) => void this.#keepWrapUp(exchangeId, wrapUp),
      onChange: (what) => {
        for (const hear of this.#watchers) hear({ ...what, exchangeId });
      },
      onOffered: () => rouse?.(),
    });
    const rouse = asleep && openRousing({ clock, log, floor, chance, asleep: () => asleep(exchangeId) });
    const [plan, answered] = await Promise.all([this.store.plan(exchangeId), this.store.answered(exchangeId)]);
    floor.read(plan);
    floor.roster.remember(answered);
    this.#floors.set(exchangeId, floor);
    const { store } = this;
    const callbacks = new Callbacks({
      clock,
      log,
      floor,
      store,
      whyNot: (callback) => this.#parts.whyNoCallback(exchangeId, callback),
      dial: (callback, agent, seconds) => dial(exchangeId, callback, agent, seconds),
      wake: this.#parts.wake,
      exchangeId,
    });
    await callbacks.recall();
    return { floor, callbacks };
  }

  /** One reading at a time, so that what is read last is what was written last. */
  #readAgain(exchangeId: number): Promise<void> {
    const reading = this.#reading.get(exchangeId) ?? runAgain(() => this.#read(exchangeId));
    this.#reading.set(exchangeId, reading);
    return reading.ask();
  }

  async #read(exchangeId: number): Promise<void> {
    try {
      this.#floors.get(exchangeId)?.read(await this.store.plan(exchangeId));
    } catch (error) {
      this.#parts.log.error({ exchangeId, error: String(error) }, "queues could not be read again");
    }
  }

  async #owe(exchangeId: number, debt: Debt): Promise<void> {
    await this.store.oweDisposition(exchangeId, debt).catch((error: unknown) => {
      this.#parts.log.error({ ...debt, exchangeId, error: String(error) }, "what an agent owes could not be kept");
      throw error;
    });
  }

  async #keepWrapUp(exchangeId: number, wrapUp: WrapUp): Promise<void> {
    await this.store.keepWrapUp(exchangeId, wrapUp).catch((error: unknown) => {
      this.#parts.log.error({ ...wrapUp, exchangeId, error: String(error) }, "an agent's wrap-up could not be kept");
    });
  }

  /** His break is stored, so that it holds after a restart and until he comes back himself. */
  async #giveBreak(exchangeId: number, extension: string): Promise<void> {
    try {
      await this.store.request({
        exchangeId,
        extension,
        request: "giveBreak",
        description: MISSED_CALLS,
        by: { doer: "queue", who: "" },
      });
    } catch (error) {
      this.#parts.log.error({ exchangeId, extension, error: String(error) }, "an agent's break could not be stored");
    }
    this.#floors.get(exchangeId)?.roster.get(extension)?.receive({ is: "breakStored" });
    await this.#readAgain(exchangeId);
  }
}
