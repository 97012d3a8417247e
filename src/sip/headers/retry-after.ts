// Retry-After: when a refused caller may try again.

import type { Malformed } from "../message/malformed.ts";
import { isMalformed } from "../message/malformed.ts";
import { headerOf, type Message } from "../message/message.ts";
import { secondsWithParameters } from "./session-timer.ts";

export function retryAfterOf(message: Message): number | undefined | Malformed {
  const value = headerOf(message, "Retry-After");
  // A comment in brackets may follow the seconds (20.33); it is for people.
  const bracket = value?.indexOf("(") ?? -1;
  const fields = secondsWithParameters(bracket < 0 ? value : value?.slice(0, bracket));
  return fields === undefined || isMalformed(fields) ? fields : fields.seconds;
}
