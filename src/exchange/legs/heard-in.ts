// What comes out of a party's stream, as its call understands it.

import type { StreamEvent } from "../../media/engine.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { LegEvent } from "../calls/leg.ts";

/** Undefined: it means nothing now. */
export function heardIn(event: StreamEvent, isAnswered: boolean): LegEvent | { fails: HangupCause } | undefined {
  if (event.is === "digit") return { is: "digit", digit: event.digit };
  if (event.is === "fax-tone") return { is: "faxTone", tone: event.tone };
  if (event.is === "silent") return { fails: "MEDIA_TIMEOUT" };
  // Some browsers look for their way only once they are answered.
  const isUnreachable = event.is === "unreachable" && isAnswered;
  return event.is === "lost" || isUnreachable ? { fails: "NORMAL_TEMPORARY_FAILURE" } : undefined;
}
