// When the next token is worth asking for.

import type { WebphoneSession } from "../../src/http/webphone/shown.ts";

const IN_GOOD_TIME_MS = 60 * 60_000;

type Ends = Pick<WebphoneSession, "expiresAtMs">;

/** Seen when a session is renewed with the same token: one that was just given is not asked for again at once. */
export function endsSoon(session: Ends | undefined, before: Ends | undefined, nowMs: number): boolean {
  if (!session || session === before || session.expiresAtMs !== before?.expiresAtMs) return false;
  return session.expiresAtMs - nowMs < IN_GOOD_TIME_MS;
}
