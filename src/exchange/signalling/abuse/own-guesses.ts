// Wrong passwords from this machine's own addresses, all of them together: whoever has an account here may use each. They
// bring nobody silence, since a proxy of ours may stand there, but whoever has not logged in from there lately has to wait.

import { LONG_AGO, later, type Ticks } from "../../../clock.ts";
import { type Budget, fullBudget, has, spend } from "./budget.ts";
import { GUEST, kept, STRANGER } from "./sources.ts";

export type OwnGuesses = {
  wrong(now: Ticks): void;
  /** Whether one more may be tried on that user. */
  mayTry(user: string, now: Ticks): boolean;
  loggedIn(user: string, now: Ticks): void;
};

/** As many as behind any other address, where others log in and where nobody does. */
export function openOwnGuesses({ rememberedMs, most }: { rememberedMs: number; most: number }): OwnGuesses {
  const users = new Map<string, { until: Ticks }>();
  let guestUntil = LONG_AGO;
  let faults: Budget | undefined;
  const allowance = (now: Ticks) => (guestUntil > now ? GUEST : STRANGER).faults;
  const budget = (now: Ticks) => {
    faults ??= fullBudget(allowance(now), now);
    return faults;
  };
  return {
    wrong: (now) => void spend(budget(now), 1, allowance(now), now),
    mayTry: (user, now) => (users.get(user)?.until ?? LONG_AGO) > now || has(budget(now), 1, allowance(now), now),
    loggedIn(user, now) {
      const until = later(now, rememberedMs);
      kept(users, user, { record: { until }, most }).until = until;
      if (guestUntil <= now) faults = fullBudget(GUEST.faults, now);
      guestUntil = until;
    },
  };
}
