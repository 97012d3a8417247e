// The telephone network as dice imagine it, for campaigns by the thousand: people who answer, refuse or press keys as the dice say,
// and a log of everything that happened there. It knows nothing of campaigns but the calls that reach it.

import type { CallFacts } from "../../src/exchange/calls/call-facts.ts";
import type { HangupCause } from "../../src/exchange/calls/causes.ts";
import type { CallOrder, PlaceCall, PlacedCall } from "../../src/exchange/features/campaigns/place-call.ts";
import type { TestClock } from "../ground/test-clock.ts";

export type Behaviour =
  | { does: "answers"; afterMs: number; talksMs: number; keys?: [afterMs: number, digit: string][]; served?: boolean }
  | { does: "fails"; afterMs: number; cause: HangupCause };

export type NetworkLine = {
  number: string;
  attempt: number;
  atMs: number;
  callUuid: string;
  result: "answered" | HangupCause;
  keys: string[];
  talkMs: number;
};

export type ImaginedNetwork = {
  place: PlaceCall;
  log: NetworkLine[];
  /** When each call arrived. */
  arrivals: { number: string; atMs: number }[];
  up(): number;
  mostUp(): number;
  /** Somebody is asked whether he may be rung: a database answers in its own time. */
  isAsking(): boolean;
  /** Everybody hangs up now, as when the exchange stops. */
  cut(cause: HangupCause): void;
};

export function imaginedNetwork(
  clock: TestClock,
  behave: (number: string, attempt: number) => Behaviour,
): ImaginedNetwork {
  const log: NetworkLine[] = [];
  const arrivals: { number: string; atMs: number }[] = [];
  const timesCalled = new Map<string, number>();
  const cuts = new Set<(cause: HangupCause) => void>();
  let mostUp = 0;
  let asking = 0;
  return {
    log,
    arrivals,
    up: () => cuts.size,
    mostUp: () => mostUp,
    isAsking: () => asking > 0,
    cut: (cause) => {
      for (const cut of [...cuts]) cut(cause);
    },
    async place(order) {
      return takeCall(order);
    },
  };

  function takeCall({ callUuid, journey }: CallOrder): PlacedCall {
    const { number } = journey.number;
    const queue = journey.campaign.queueNumber;
    // Only what the dialler reads of it is filled in.
    const facts = { uuid: callUuid, connectedUser: "" } as CallFacts;
    let settle: (fetched: Awaited<PlacedCall["fetched"]>) => void = () => undefined;
    let finish: () => void = () => undefined;
    const fetched = new Promise<Awaited<PlacedCall["fetched"]>>((resolve) => {
      settle = resolve;
    });
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const fail = (cause: HangupCause) => {
      settle({ failed: { cause } });
      finish();
    };
    const placed: PlacedCall = { facts, fetched, over, end: undefined };
    asking += 1;
    void journey.mayRing().then((mayRing) => {
      asking -= 1;
      if (mayRing) ring();
      else fail("NOT_ALLOWED_BY_IYS");
    });
    return placed;

    function ring(): void {
      const attempt = (timesCalled.get(number) ?? 0) + 1;
      timesCalled.set(number, attempt);
      arrivals.push({ number, atMs: clock.wall() });
      journey.left();
      const line: NetworkLine = {
        number,
        attempt,
        atMs: clock.wall(),
        callUuid,
        result: "NO_ANSWER",
        keys: [],
        talkMs: 0,
      };
      log.push(line);
      let gone = false;
      const end = (result: NetworkLine["result"], cause: HangupCause) => {
        if (gone) return;
        gone = true;
        cuts.delete(cut);
        line.result = result;
        placed.end = { endMs: clock.wall(), cause, by: "callee", legs: [] };
        if (result === "answered") line.talkMs = clock.wall() - (facts.answerMs ?? clock.wall());
        settle(result === "answered" ? { answered: true } : { failed: { cause } });
        finish();
      };
      const cut = (cause: HangupCause) => end(facts.answerMs === undefined ? cause : "answered", cause);
      cuts.add(cut);
      mostUp = Math.max(mostUp, cuts.size);
      const behaviour = behave(number, attempt);
      if (behaviour.does === "fails") {
        clock.after(behaviour.afterMs, () => end(behaviour.cause, behaviour.cause));
        return;
      }
      clock.after(behaviour.afterMs, () => {
        if (!gone) answer(behaviour);
      });

      function answer({ talksMs, keys = [], served = true }: Behaviour & { does: "answers" }): void {
        facts.answerMs = clock.wall();
        settle({ answered: true });
        void journey.answered();
        if (queue !== null) Object.assign(facts, { queue, connectedUser: served ? "1000" : "" });
        for (const [afterMs, digit] of keys)
          clock.after(afterMs, () => {
            if (gone) return;
            line.keys.push(digit);
            journey.pressed(digit);
          });
        clock.after(talksMs, () => end("answered", "NORMAL_CLEARING"));
      }
    }
  }
}

/** Numbers one after the other: 905300000000 and on. */
export function numbersFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `9053${String(first + n).padStart(8, "0")}`);
}
