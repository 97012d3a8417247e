// Session timers (RFC 4028): what to say when a call is set up, and a watch that keeps it alive or ends it.

import type { Cancel, Clock } from "../clock.ts";
import { minSe, minSeOf, type Refresher, sessionExpires, sessionExpiresOf } from "./headers/session-timer.ts";
import { knowsOption, tokenList } from "./headers/token-lists.ts";
import { isMalformed } from "./message/malformed.ts";
import type { Header, Request, Response } from "./message/message.ts";

export type SessionPreference = { seconds: number; leastSeconds: number };

/** RFC 4028 §4 recommends half an hour, and no less than 90 s. */
export const SESSION_PREFERENCE: SessionPreference = { seconds: 1_800, leastSeconds: 90 };

/** Agreed for this dialog; `refresher` says which of us two gives the signs of life. */
export type Session = { seconds: number; refresher: "we" | "they" };

/** The headers of an INVITE or UPDATE of ours. */
export function offerSession({ seconds, leastSeconds }: SessionPreference, running?: Session): Header[] {
  const refresher: Refresher | undefined = running && (running.refresher === "we" ? "uac" : "uas");
  return [
    tokenList("Supported", ["timer"]),
    sessionExpires({ seconds: running?.seconds ?? seconds, refresher }),
    minSe(leastSeconds),
  ];
}

/** What a 2xx to our request agrees to; undefined: no session timer, unless we keep one ourselves. */
export function sessionAsCaller(response: Response): Session | undefined {
  const agreed = sessionExpiresOf(response);
  if (agreed === undefined || isMalformed(agreed)) return undefined;
  return { seconds: agreed.seconds, refresher: agreed.refresher === "uas" ? "they" : "we" };
}

/** A 422 says what its sender would accept: the preference to try again with. */
export function preferenceAfterRefusal(
  response: Response,
  preference: SessionPreference,
): SessionPreference | undefined {
  const least = minSeOf(response);
  if (response.status !== 422 || least === undefined || isMalformed(least) || least <= preference.leastSeconds)
    return undefined;
  return { seconds: Math.max(preference.seconds, least), leastSeconds: least };
}

export type SessionAnswer =
  | { session: Session; headers: Header[] }
  | { session: undefined; headers: Header[] }
  /** 422 or 400, with these headers. */
  | { refuse: 422 | 400; headers: Header[] };

/** What we agree to when asked. A caller that knows nothing of timers is watched by us alone (§9). */
export function sessionAsCallee(request: Request, preference: SessionPreference): SessionAnswer {
  const asked = sessionExpiresOf(request);
  const least = minSeOf(request);
  if (isMalformed(asked) || isMalformed(least)) return { refuse: 400, headers: [] };
  const callerKnows = knowsOption(request, "timer");
  if (asked && callerKnows && asked.seconds < preference.leastSeconds)
    return { refuse: 422, headers: [minSe(preference.leastSeconds)] };
  const seconds = Math.max(asked?.seconds ?? preference.seconds, preference.leastSeconds, least ?? 0);
  if (!callerKnows) return { session: undefined, headers: [] };
  const refresher: Refresher = asked?.refresher ?? "uac";
  return {
    session: { seconds, refresher: refresher === "uac" ? "they" : "we" },
    // The caller must know that it has a duty (§9: Require when it is the refresher).
    headers: [
      ...(refresher === "uac" ? [tokenList("Require", ["timer"])] : [tokenList("Supported", ["timer"])]),
      sessionExpires({ seconds, refresher }),
    ],
  };
}

export type Keeping = {
  /** A re-INVITE or UPDATE of either side went through. */
  renewed(session: Session): void;
  stop(): void;
};

export type KeepingOptions = {
  clock: Clock;
  session: Session;
  /** How long ago its last sign of life was, where somebody else has kept it until now. */
  agoMs?: number | undefined;
  /** Send a re-INVITE or UPDATE; when it goes through, say so by `renewed`. */
  refresh(): void;
  /** Nobody gave a sign of life: send BYE. */
  expire(): void;
};

/** Keeps an agreed session: refreshes it at half time where that is our part, and ends it when nobody did. */
export function keepSession({ clock, session, agoMs = 0, refresh, expire }: KeepingOptions): Keeping {
  let timers: Cancel[] = [];
  renewed(session, agoMs);
  return { renewed, stop };

  /** What should have happened while nobody kept it is made up for: a sign at once, an end not before one could come. */
  function renewed(agreed: Session, ago = 0) {
    stop();
    timers.push(clock.after(Math.max(lastMomentMs(agreed) - ago, ago > 0 ? MAKE_UP_MS : 0), ended));
    const refreshMs = Math.max((agreed.seconds * 1_000) / 2 - ago, 0);
    if (agreed.refresher === "we") timers.push(clock.after(refreshMs, refresh));
  }

  function ended() {
    stop();
    expire();
  }

  function stop() {
    for (const cancel of timers) cancel();
    timers = [];
  }
}

/** As long as a request of either side may take. */
const MAKE_UP_MS = 32_000;

/** §10: a third of the interval before its end, but no more than 32 s before. */
function lastMomentMs({ seconds }: Session): number {
  return seconds * 1_000 - Math.min(32_000, (seconds * 1_000) / 3);
}
