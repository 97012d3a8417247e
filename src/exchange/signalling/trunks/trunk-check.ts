// A trunk asked now, because somebody wants to know: what it says to a sign of life, and to its login.

import { type Clock, since } from "../../../clock.ts";
import type { Outcome } from "../../../sip/client.ts";
import type { Input } from "./registration.ts";
import type { Trouble } from "./troubles.ts";

/** One question and what came of it: the carrier's own words, or a word of `Trouble`. */
export type Asked = { answer: string; isWell: boolean; latencyMs: number | null };

export type TrunkCheck = {
  /** What keeps it out of use until somebody sets it right. */
  trouble: Trouble | null;
  alive: Asked;
  /** Null: it does not register. */
  registered: Asked | null;
};

const BADLY = { isWell: false, latencyMs: null };
/** Somebody looks at the screen meanwhile. */
const CHECK_MS = 8_000;

export type RegisterWatch = {
  /** The carrier has said something to a REGISTER, in these words. */
  heard(input: Input, answer: string): void;
  next(): Promise<Asked>;
};

/** Tells those who wait for the answer to the next REGISTER. */
export function watchRegister(clock: Clock): RegisterWatch {
  const waiting: RegisterWatch["heard"][] = [];
  return {
    heard(...said) {
      for (const tell of waiting.splice(0)) tell(...said);
    },
    next: () =>
      new Promise((resolve) => {
        const began = clock.ticks();
        const cancel = clock.after(CHECK_MS, () => resolve({ answer: "timeout", ...BADLY }));
        waiting.push((input, answer) => {
          cancel();
          if (input.is === "refused") resolve({ answer: input.why, ...BADLY });
          else resolve({ answer, isWell: true, latencyMs: Math.round(since(clock, began)) });
        });
      }),
  };
}

/** Alive whatever it says, save that it is out of service. */
const OUT_OF_SERVICE: ReadonlySet<number> = new Set([408, 502, 503, 504]);

export function isAlive(outcome: Outcome): boolean {
  return "response" in outcome && !OUT_OF_SERVICE.has(outcome.response.status);
}
