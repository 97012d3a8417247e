// When a call may be tried over another trunk: when the trunk failed, never when a person said no.

/** What came of an INVITE: a final status, or no answer worth the name. */
export type Failure = { status: number } | { is: "timeout" | "unreachable" };

/** The carrier's own troubles. 486, 603 and their like are somebody's answer: dialling again would ring them twice. */
const TRUNK_TROUBLE: ReadonlySet<number> = new Set([408, 502, 503, 504]);

/** `rang`: the far end was heard ringing, so the trunk works and a late 408 only means that nobody picked up. */
export function isWorthAnotherTrunk(failure: Failure, rang: boolean): boolean {
  if (rang) return false;
  return "status" in failure ? TRUNK_TROUBLE.has(failure.status) : true;
}
