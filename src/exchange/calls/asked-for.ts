// A call that somebody asked for over a door: it begins while he waits for it, or not at all.

import type { Limit, RequestLimit } from "../../store/limit.ts";
import type { Call } from "./call.ts";
import type { Journal } from "./call-journal.ts";
import type { Goal } from "./goal.ts";
import type { Refusal } from "./refusal.ts";

export const TOO_LATE = { refused: "given-up", seconds: 5 } as const satisfies Refusal;

export function isTooLate(limit: Limit | undefined): boolean {
  return limit !== undefined && limit.leftMs() <= 0;
}

/**
 * Its asker is told of a call that a crash does not forget. When the journal cannot write, he is told to come back
 * later, and whoever is still being rung is let go: asked again, the call would be there twice.
 */
export async function keptInTime(
  { journal }: { journal: Pick<Journal, "kept"> },
  call: Call<Goal>,
  limit: RequestLimit | undefined,
): Promise<{ callUuid: string } | Refusal> {
  const { uuid } = call.facts;
  const kept = journal.kept(uuid).then(() => "kept" as const);
  const outcome = await Promise.race([kept, ...(limit ? [limit.over()] : [])]);
  if (outcome === "kept") return { callUuid: uuid };
  if (call.facts.answerMs === undefined) call.hangUp("ORIGINATOR_CANCEL");
  return TOO_LATE;
}
