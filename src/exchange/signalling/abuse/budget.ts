// A budget that refills by time: so much at once, so much a second.

import { between, type Ticks } from "../../../clock.ts";

export type Budget = { left: number; at: Ticks };
export type Allowance = { burst: number; perSecond: number };

export function fullBudget({ burst }: Allowance, now: Ticks): Budget {
  return { left: burst, at: now };
}

/** False when there is not enough left; nothing is taken then. */
export function spend(budget: Budget, cost: number, allowance: Allowance, now: Ticks): boolean {
  const refilled = budget.left + (between(budget.at, now) / 1_000) * allowance.perSecond;
  budget.left = Math.min(allowance.burst, refilled);
  budget.at = now;
  if (budget.left < cost) return false;
  budget.left -= cost;
  return true;
}
