// After a crash: every call that was up gets its CDR, ended at the last sign of life, with its recording and events.

import { abandonedCalls } from "../../store/live-calls.ts";
import type { CallEnd, CallFacts } from "../calls/call-facts.ts";
import { type JournalParts, openJournal } from "./journal.ts";

/** Before anything else: calls that ended, and those that began, while the database was away are in it as they were. */
export async function catchUp(parts: JournalParts): Promise<void> {
  const journal = openJournal({ ...parts, signsOfLife: false });
  await journal.caughtUp();
  await journal.close();
}

/** Before the first call of this start. Returns how many calls were found. */
export async function recoverCalls(parts: JournalParts): Promise<number> {
  const left = await abandonedCalls(parts.db, parts.node, parts.clock.wall());
  if (left.length === 0) return 0;
  const withFiles = (await parts.leftBehind?.()) ?? ((facts: CallFacts) => facts);
  const journal = openJournal({ ...parts, signsOfLife: false, gatherMs: 0 });
  await Promise.all(
    left.map(async ({ facts, lastSeenMs, steppedMs, recordingPath }) => {
      // The row was written by this module's sibling out of exactly this type.
      const known = withFiles({ ...(facts as CallFacts), ...(recordingPath === null ? {} : { recordingPath }) });
      await parts.onRecovered?.(known);
      const atMs = lastSeenMs - steppedMs;
      const stopped = { atMs, is: "exchange-stopped" } as const;
      return journal.closed({ ...known, story: [...(known.story ?? []), stopped] }, endOf(known, atMs));
    }),
  );
  await journal.close();
  parts.log.warn({ calls: left.length }, "calls that a crash cut off were given their records");
  return left.length;
}

function endOf(facts: CallFacts, lastSeenMs: number): CallEnd {
  const endMs = Math.max(lastSeenMs, facts.answerMs ?? facts.startMs);
  const number = facts.connectedUser || facts.dialedUser || facts.destinationNumber;
  const unknown = { address: "", userAgent: "", writeCodec: "", readCodec: "" };
  const answered = facts.answerMs === undefined ? {} : { answerMs: facts.answerMs };
  const leg = { number, startMs: facts.startMs, ...answered, endMs, ...unknown, cause: "SYSTEM_SHUTDOWN" as const };
  return { endMs, cause: "SYSTEM_SHUTDOWN", by: "caller", legs: [leg] };
}
