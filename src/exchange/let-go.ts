// Lets the calls of one exchange go to another node: written as they are, without a word to anybody, and their voice goes on
// here until the other node has asked their parties to come over.

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Call } from "./calls/call.ts";
import type { Journal } from "./calls/call-journal.ts";
import type { Goal } from "./calls/goal.ts";
import type { KeptLeg } from "./calls/kept-leg.ts";
import type { Leg } from "./calls/leg.ts";
import type { LiveCalls } from "./calls/live-calls.ts";
import type { Legs } from "./legs/legs.ts";

export type LetGoParts = { clock: Clock; log: Log; live: LiveCalls; legs: Legs; journal: Journal };

/** The other node looks every second, and then has all of the exchange to read. */
const VOICE_GOES_ON_MS = 3_000;

/** Whoever rings is rung again by the next node. */
export type Ringing = "counts" | "moves";

/**
 * Why no other machine can go on with it: a browser's voice belongs to its connection, a phone may hang on one, somebody is
 * being rung, or it is led through something that only this process knows.
 */
type Bond = "browser" | "connection" | "rings" | "led";

/** Undefined: everybody can be told where his voice is. */
function bondOf(call: Call<Goal>, ringing: Ringing): Bond | undefined {
  const kept = call.keep();
  if (!kept || !call.canGoOn() || kept.strangers.length > 0) return "led";
  if ([...kept.ringing, ...kept.legs].some(({ isBrowser }) => isBrowser)) return "browser";
  if (kept.ringing.some((leg) => ringing === "counts" || leg.endsWithUs)) return "rings";
  if (kept.legs.some(({ media }) => !media?.agreed || media.agreed.dtls)) return "browser";
  return kept.legs.some(({ dialog }) => hangsOnConnection(dialog)) ? "connection" : undefined;
}

/** To a phone itself: nobody but us has that one. Behind a proxy the route leads there from anywhere. */
function hangsOnConnection({ dialog: { flow, routeSet } }: KeptLeg["dialog"]): boolean {
  return flow !== undefined && flow.transport !== "udp" && routeSet.length === 0;
}

/** Those that stay as long as they last. */
export const boundIn = (live: LiveCalls, exchangeId: number, ringing: Ringing): Call<Goal>[] =>
  live.all(exchangeId).filter((call) => bondOf(call, ringing) !== undefined);

export type Bound = { exchange: number; call: string; why: Bond };

type LetGo = { legs: Leg[]; over(): void };

export function openLettingGo(parts: LetGoParts) {
  const { clock, log, live, legs, journal } = parts;
  const gone = new Map<number, LetGo[]>();
  return {
    /** False: they cannot be written now, and nothing has happened. */
    async letGo(exchangeId: number): Promise<boolean> {
      if (!(await journal.letGo([]))) return false;
      const calls = live.all(exchangeId);
      // Their files are complete before anybody goes on with them.
      for (const call of calls) await call.conversation.pauseRecording();
      const left = calls.map((call): LetGo => {
        const all = [...new Set([...call.legs(), ...legs.called.of(call.facts.uuid)])];
        legs.letGo(call.facts.uuid, all);
        const end = call.handOver();
        const over = () => {
          call.stopClock();
          live.remove(call);
          end();
        };
        return { legs: all, over };
      });
      gone.set(exchangeId, left);
      await journal.letGo(calls.map(({ facts }) => facts));
      log.info({ exchange: exchangeId, calls: calls.length }, "calls are left to another node");
      return true;
    },
    bound: (exchange: number, ringing: Ringing): Bound[] =>
      live.all(exchange).flatMap((call) => {
        const why = bondOf(call, ringing);
        return why === undefined ? [] : [{ exchange, call: call.facts.uuid, why }];
      }),
    /** Once they are the other node's; what is left of them here ends unheard. */
    forget(exchangeId: number): void {
      const left = gone.get(exchangeId) ?? [];
      gone.delete(exchangeId);
      for (const { over } of left) over();
      clock.after(VOICE_GOES_ON_MS, () => {
        for (const leg of left.flatMap((it) => it.legs)) leg.end("NORMAL_CLEARING");
      });
    },
  };
}
