// A budget that refills by time: so much at once, so much a second.

import { between, type Ticks } from "../../../clock.ts";

export type Budget = { left: number; at: Ticks };
export type Allowance = { burst: number; perSecond: number };

export function fullBudget({ burst }: Allowance, now: Ticks): Budget {
  return { left: burst, at: now };
}

/** False when there is not enough left; nothing is taken then. */
export function spend(budget: Budget, cost: number, allowance: Allowance, now: Ticks): boolean {
  if (!has(budget, cost, allowance, now)) return false;
  budget.left -= cost;
  return true;
}

/** Whether as much is left. */
export function has(budget: Budget, cost: number, { burst, perSecond }: Allowance, now: Ticks): boolean {
  budget.left = Math.min(burst, budget.left + (between(budget.at, now) / 1_000) * perSecond);
  budget.at = now;
  return budget.left >= cost;
}
