// Callers who hung up and kept their place: in line like everybody else, and called when it is their turn.

import { type Clock, earliest, momentOf, since, type Ticks, until, within } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Callback } from "../../../store/callbacks.ts";
import type { Call } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import { type Telling, tellingBy, type Wake } from "../../lead/waking.ts";
import { type Decision, explained } from "./assign.ts";
import type { NoCallback } from "./callback-number.ts";
import type { Floor } from "./floor.ts";
import type { Place, Rung } from "./place.ts";
import type { QueueStore } from "./queue-store.ts";

/** What waits in this process does so by ticks: the stamps are for the next one. */
type Expected = { callback: Callback; joined: Ticks; nextTry: Ticks };

const AGAIN_MS = 5 * 60_000;
const MOST_ATTEMPTS = 3;

export type CallbacksParts = {
  exchangeId: number;
  clock: Clock;
  log: Log;
  floor: Floor;
  store: QueueStore;
  /** Why he is not to be called at the number that he left. */
  whyNot(callback: Callback): Promise<NoCallback | undefined>;
  /** Rings the agent, and once he has answered the caller. Undefined when the exchange takes no calls now. */
  dial(callback: Callback, agent: string, seconds: number): Promise<Call<Goal> | undefined>;
  /** Tells an agent whose phone is closed. */
  wake?: Wake | undefined;
};

export class Callbacks {
  readonly #parts: CallbacksParts;
  readonly #known = new Map<string, Expected>();
  readonly #begun = new Set<string>();
  #closed = false;

  constructor(parts: CallbacksParts) {
    this.#parts = parts;
  }

  /** Those that were owed when the server last stopped. */
  async recall(): Promise<void> {
    const { store, exchangeId, clock } = this.#parts;
    for (const callback of await store.owedCallbacks(exchangeId)) {
      const joined = earliest(momentOf(clock, callback.joinedMs), clock.ticks());
      const nextTry = earliest(momentOf(clock, callback.nextTryMs), within(clock, AGAIN_MS));
      this.#expect({ callback, joined, nextTry });
    }
  }

  /** The caller gives up `place` for it, even by hanging up at once. False when he was served or the queue is gone. */
  async keep(callback: Callback, place: Place): Promise<boolean> {
    let served = false;
    void place.outcome.then((outcome) => {
      served = "served" in outcome;
    });
    const kept = await this.#parts.store.keepCallback(this.#parts.exchangeId, callback);
    if (kept && served) this.#end(callback, "talked");
    if (!kept || served) return false;
    place.leave();
    this.#expect({ callback, joined: place.joined, nextTry: place.joined });
    return true;
  }

  /** The agent is on the line and the caller is about to be dialled: from here on the attempt counts. */
  async begin(id: string): Promise<void> {
    const { store, clock, exchangeId } = this.#parts;
    const againMs = clock.wall() + AGAIN_MS;
    const known = this.#known.get(id);
    if (known) {
      known.callback.attempts += 1;
      known.nextTry = within(clock, AGAIN_MS);
    }
    this.#begun.add(id);
    await store.beginCallback(exchangeId, id, againMs);
  }

  close(): void {
    this.#closed = true;
  }

  #expect(expected: Expected): void {
    const { clock } = this.#parts;
    const { callback, nextTry } = expected;
    this.#known.set(callback.id, expected);
    const waitMs = until(clock, nextTry);
    if (callback.attempts >= MOST_ATTEMPTS) this.#end(callback, "not-reached");
    else if (waitMs <= 0) this.#join(expected);
    else clock.after(waitMs, () => this.#join(expected));
  }

  #join(expected: Expected): void {
    const { whyNot, log, exchangeId } = this.#parts;
    const { callback } = expected;
    // Settings that cannot be read now do not cost him his call: they are asked again where it goes out.
    const asked = whyNot(callback).catch(() => undefined);
    void asked.then((not) => {
      if (this.#closed) return;
      if (!not) return this.#standInLine(expected);
      log.warn(
        { exchangeId, callback: callback.id, why: not.why },
        "a callback is not made: its number may not be called",
      );
      this.#end(callback, "not-reached");
    });
  }

  #standInLine(expected: Expected): void {
    const { floor, clock } = this.#parts;
    const { callback, joined } = expected;
    const { id, queue, callUuid, caller, callerName } = callback;
    let call: Call<Goal> | undefined;
    let decided: Decision | undefined;
    const telling = this.#tellingOf(callback);
    const place = floor.join({
      id,
      queue,
      callUuid,
      caller,
      callerName,
      joined,
      single: true,
      onDecision: (decision) => {
        decided = decision;
      },
      greet: async () => true,
      ...(telling && { rouse: telling.tell }),
      ring: async (agent, signal) => {
        call = await this.#parts.dial(callback, agent, floor.queue(queue)?.ringSeconds ?? 20);
        if (decided) call?.tell(explained(decided, { callback: true }));
        return call ? rungBy(call, signal) : { failed: "NORMAL_TEMPORARY_FAILURE" };
      },
    });
    void place.outcome.then(async (outcome) => {
      telling?.over("served" in outcome);
      if (!("served" in outcome) || !call) return;
      call.note({ queueWaitSeconds: Math.round(since(clock, joined) / 1_000) });
      await call.over;
      this.#conclude(expected, call.facts.answerMs !== undefined);
    });
  }

  /** By the name of the callback: its call begins when somebody is there to be rung. */
  #tellingOf({ id, caller: number, callerName: name }: Callback): Telling | undefined {
    const { wake, exchangeId } = this.#parts;
    return wake && tellingBy(wake, exchangeId, { call: id, number, name });
  }

  #conclude(expected: Expected, talked: boolean): void {
    if (this.#closed) return; // a call that ended with the server says nothing about the caller
    if (talked) return this.#end(expected.callback, "talked");
    // The agent hung up before the caller was dialled: nothing was tried, and the place is still his.
    if (!this.#begun.delete(expected.callback.id)) return this.#join(expected);
    return this.#expect(expected);
  }

  #end({ id }: Callback, outcome: "talked" | "not-reached"): void {
    const { store, exchangeId, log } = this.#parts;
    this.#known.delete(id);
    this.#begun.delete(id);
    store.endCallback(exchangeId, id, outcome).catch((error: Error) => {
      log.error({ callback: id, error: error.message }, "a callback could not be closed");
    });
  }
}

/** The agent is the first party of the call. */
async function rungBy(call: Call<Goal>, signal: AbortSignal): Promise<Rung> {
  const stop = () => call.hangUp("ORIGINATOR_CANCEL");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const fetched = await call.fetched;
  signal.removeEventListener("abort", stop);
  if ("failed" in fetched) return { failed: fetched.failed.cause };
  const [agent] = call.legs();
  return agent ? { answered: agent, callUuid: call.facts.uuid } : { failed: "NO_ANSWER" };
}
