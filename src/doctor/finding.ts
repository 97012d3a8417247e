// What a check of the machine finds, and what each check is given.

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";

export type Finding = { is: "ok" | "warn" | "fail"; says: string; todo?: string };

export type Check = { name: string; run(patient: { config: Config; clock: Clock }): Promise<Finding | Finding[]> };

export const ok = (says: string): Finding => ({ is: "ok", says });
export const warn = (says: string, todo: string): Finding => ({ is: "warn", says, todo });
export const fail = (says: string, todo: string): Finding => ({ is: "fail", says, todo });

/** A check that breaks is itself a finding. */
export async function findingsOf(
  check: Check,
  patient: { config: Config; clock: Clock },
): Promise<(Finding & { check: string })[]> {
  const found = await check
    .run(patient)
    .catch((error: Error) => fail(error.message || "could not be checked", "see the sentence before this one"));
  return [found].flat().map((finding) => ({ check: check.name, ...finding }));
}
