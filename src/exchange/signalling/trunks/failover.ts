// When a call may be tried over another trunk: when the trunk failed, never when a person said no.

/** What came of an INVITE: a final status, or no answer worth the name. Stalled: it tries, and says no more. */
export type Failure = { status: number } | { is: "timeout" | "stalled" | "unreachable" };

/** The carrier's own troubles: two of them in a row, and it is taken to be down. */
const TRUNK_TROUBLE: ReadonlySet<number> = new Set([408, 502, 503, 504]);

/**
 * `rang`: the far end was heard ringing, so the trunk works and a late 408 only means that nobody picked up. `nextOn`
 * are statuses, and classes of them such as `5xx`. 486, 603 and their like are somebody's answer: dialling again would
 * ring them twice.
 */
export function isWorthAnotherTrunk(
  failure: Failure,
  { rang, nextOn }: { rang: boolean; nextOn: readonly string[] },
): boolean {
  if (rang) return false;
  if (!("status" in failure)) return true;
  const status = String(failure.status);
  return nextOn.includes(status) || nextOn.includes(`${status.slice(0, 1)}xx`);
}

/** Whether it says anything of the trunk's health: a number that one carrier does not know, or is slow to find, does not. */
export function isTrunkTrouble(failure: Failure): boolean {
  return "status" in failure ? TRUNK_TROUBLE.has(failure.status) : failure.is !== "stalled";
}
