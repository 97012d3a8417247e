// Every "no" a call operation may answer, as a value: the doors turn each into their own words.

import type { HangupCause } from "./causes.ts";

export type Refusal =
  | { refused: "missing-extension" }
  | { refused: "extension-not-found"; extension: string }
  /** The extension exists but none of its phones is registered. */
  | { refused: "extension-not-reachable"; extension: string }
  | { refused: "do-not-disturb"; extension: string }
  | { refused: "invalid-source"; source: string }
  | { refused: "invalid-destination"; destination: string }
  | {
      refused: "destination-barred";
      destination: string;
      why: "international" | "premium" | "class" | "spending-limit" | "hourly-limit" | "blocked";
    }
  | { refused: "caller-id-not-owned"; callerId: string }
  | { refused: "announcement-not-found"; id: number | string }
  | { refused: "queue-not-found"; queue: string }
  | { refused: "no-such-call" }
  /** The call exists, but not in a state in which this can be done to it. */
  | { refused: "not-now"; why: "not-ringing" | "not-answered" | "already-transferring" }
  | { refused: "no-trunk" }
  | { refused: "no-free-channel" }
  /** The attempt was made and failed while the asker waited. */
  | { refused: "call-failed"; cause: HangupCause }
  /** More calls are asked for than the machine carries. */
  | { refused: "overloaded" }
  /** The exchange is stopping and starts nothing new. */
  | { refused: "closing" }
  /** Not done in time, or its asker has gone: the database, most likely, does not answer. */
  | { refused: "given-up"; seconds: number };

export function isRefusal<Answer>(answer: Answer | Refusal): answer is Refusal {
  return typeof answer === "object" && answer !== null && "refused" in answer;
}
