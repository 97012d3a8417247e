// A budget that refills by time: so much at once, so much a second.

export type Budget = { left: number; atMs: number };
export type Allowance = { burst: number; perSecond: number };

export function fullBudget({ burst }: Allowance, nowMs: number): Budget {
  return { left: burst, atMs: nowMs };
}

/** False when there is not enough left; nothing is taken then. */
export function spend(budget: Budget, cost: number, allowance: Allowance, nowMs: number): boolean {
  const refilled = budget.left + ((nowMs - budget.atMs) / 1_000) * allowance.perSecond;
  budget.left = Math.min(allowance.burst, refilled);
  budget.atMs = nowMs;
  if (budget.left < cost) return false;
  budget.left -= cost;
  return true;
}
