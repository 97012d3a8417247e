// Where a party can be taken, in the exchange's own words.

import type { CallSettings } from "../../store/call-settings.ts";
import { dialledNumber } from "../plan/emergency.ts";
import type { PhoneNumber } from "../plan/numbers.ts";
import type { Rights } from "../plan/rights.ts";
import type { Target } from "../plan/target.ts";
import type { HangupCause } from "./causes.ts";
import type { Shown } from "./shown.ts";

/** What a call can be led to without any feature; a feature adds its own beside the script that leads there. */
export interface Goals {
  /** As a phone dialled it and nobody has read it yet; `by` is the extension whose rights count. */
  dialled: { number: string; by: string; rights?: Rights };
  /** Nowhere: what its phone offered cannot be taken. */
  refused: { cause: HangupCause };
  /** A telephone number; whoever asks for the call may say how long it rings, and which number of ours it sees. */
  number: {
    number: PhoneNumber;
    by: string;
    rights?: Rights;
    seconds?: number;
    callerId?: PhoneNumber | undefined;
    /** Others are rung for the same caller: it rings there or it does not, and nobody sends it on. */
    isOneOfMany?: true;
  };
  /** As a route, a menu or a transfer names it. */
  target: { target: Target; by?: string };
  /** Nowhere: he is told so and hung up. */
  "turned away": { cause: HangupCause };
  /** An extension that we ring on behalf of the API, before anybody else is on the line. */
  desk: {
    extension: string;
    manualAnswer: boolean;
    seconds: number;
    shown: Shown;
    /** Its owner is told where his page sleeps. */
    wakes?: boolean;
  };
  /** An outside number that the API named, with the number of ours that it shall see. */
  outside: { number: PhoneNumber; callerId: PhoneNumber; seconds: number; isFax?: true };
}

export type Goal = { [Is in keyof Goals]: { is: Is } & Goals[Is] }[keyof Goals];

/** Read once, here: what is no telephone number stays as it was dialled. */
export function dialledGoal(dialled: string, by: string, book: CallSettings): Goal {
  const number = dialledNumber(dialled, book);
  return number ? { is: "number", number, by } : { is: "dialled", number: dialled, by };
}
