// After a crash: every call that was up is found in the journal. Who can be gone on with is told to whoever can do it; the
// others get their CDR, ended at the last sign of life, with their recording and events.

import type { OpenedBefore } from "../../media/engine.ts";
import { type AbandonedCall, abandonedCalls, type KnownCall, knownCalls } from "../../store/live-calls.ts";
import type { CallEnd, CallFacts } from "../calls/call-facts.ts";
import type { Journal } from "../calls/call-journal.ts";
import type { Goal } from "../calls/goal.ts";
import { KEPT_VERSION, type KeptCall } from "../calls/kept-call.ts";
import type { NotResumed, StoryFact } from "../calls/story.ts";
import { type Entry, readEntry } from "./entry.ts";
import { type JournalParts, openCommits, openJournal } from "./journal.ts";

/** Before anything else: calls that ended, and those that began, while the database was away are in it as they were. */
export async function catchUp(parts: JournalParts): Promise<void> {
  const journal = openJournal({ ...parts, signsOfLife: false });
  await journal.caughtUp();
  await journal.close();
}

/** What a killed process had noted of calls, and the database does not know: it is written as if that process had come to it. */
export async function takeUpNotes(parts: JournalParts, notes: string[]): Promise<number> {
  const noted = notes.map(readEntry).flatMap((entry) => (entry.live ? [{ uuid: entry.live.callUuid, entry }] : []));
  if (noted.length === 0) return 0;
  const asked = await knownCalls(parts.db, [...new Set(noted.map(({ uuid }) => uuid))]);
  const known = new Map(asked.map((call) => [call.callUuid, call]));
  const news = noted.filter(({ uuid, entry }) => isNews(entry, known.get(uuid), parts.node));
  const commits = openCommits({ ...parts, gatherMs: 0 });
  for (const { uuid, entry } of news) commits.put(uuid, entry);
  await commits.close();
  const calls = new Set(news.map(({ uuid }) => uuid)).size;
  if (calls > 0) parts.log.warn({ calls }, "what had just become of calls was noted, and is in the database");
  return calls;
}

function isNews({ live }: Entry, known: KnownCall | undefined, node: string): boolean {
  if (!live || known?.isOver) return false;
  if (!known) return true;
  return known.node === node && ((live.facts as CallFacts).noted ?? 0) > known.noted; // written by this module's sibling
}

export type LeftCall = {
  facts: CallFacts;
  /** That had it last. */
  node: string;
  lastSeenMs: number;
  /** The same by the call's own clock, which nobody has set meanwhile. */
  cutOffMs: number;
  /** Of those who were on the line; undefined: nobody is known who would have to be told. */
  kept: KeptCall<Goal> | undefined;
  /** Why it cannot be gone on with. */
  why: NotResumed | undefined;
};

/** Where phones that ring were told that our voice is. */
export function openedFor({ kept }: Pick<LeftCall, "kept">): OpenedBefore[] {
  return (kept?.ringing ?? []).flatMap(({ media }) => {
    if (!media) return [];
    const { stream, address, port, peerHint } = media;
    return [{ stream, address, port, peerHint }];
  });
}

/** Resumed so often within so long, a call is what kills us. */
const MOST_RESUMES = 3;
const RESUMES_WITHIN_MS = 60_000;

/** Asked before the first call of this start; `withinMs` is how long after its last sign of life a call is gone on with. */
export async function callsLeft(parts: JournalParts, withinMs = 0, taken?: number): Promise<LeftCall[]> {
  const nowMs = parts.clock.wall();
  const left = await abandonedCalls(parts.db, parts.node, nowMs, taken);
  if (left.length === 0) return [];
  return left.map((call) => {
    const { facts, recordingPath, lastSeenMs, steppedMs } = call;
    // The row was written by this module's sibling out of exactly this type.
    const known = { ...(facts as CallFacts), ...(recordingPath === null ? {} : { recordingPath }) };
    const resume = call.resume === null ? null : (parts.seal?.open(call.resume as object) ?? call.resume);
    return {
      facts: known,
      node: call.node,
      lastSeenMs,
      cutOffMs: lastSeenMs - steppedMs,
      ...judge({ ...call, resume }, nowMs, withinMs),
    };
  });
}

function judge(call: AbandonedCall, nowMs: number, withinMs: number): Pick<LeftCall, "kept" | "why"> {
  const { resume, resumedMs, lastSeenMs, isOwn } = call;
  if (resume === null || !isOwn) return { kept: undefined, why: undefined };
  if ((resume as KeptCall<Goal>).version !== KEPT_VERSION) return { kept: undefined, why: "unknown" };
  const kept = resume as KeptCall<Goal>; // written by a Call of this version
  const lately = resumedMs.filter((atMs) => nowMs - atMs < RESUMES_WITHIN_MS);
  if (nowMs - lastSeenMs > withinMs) return { kept, why: "too-late" };
  if (lately.length >= MOST_RESUMES) return { kept, why: "too-often" };
  return { kept, why: kept.state ? undefined : "not-possible" };
}

/** Before the first call of this start. Returns how many calls were given their records. */
export async function recoverCalls(parts: JournalParts, left?: LeftCall[]): Promise<number> {
  const calls = left ?? (await callsLeft(parts));
  if (calls.length === 0) return 0;
  const journal = openJournal({ ...parts, signsOfLife: false, gatherMs: 0 });
  const withFiles = await filesLeft(parts);
  await Promise.all(calls.map((call) => closeLeft({ ...parts, withFiles }, journal, call)));
  await journal.close();
  parts.log.warn({ calls: calls.length }, "calls that a crash cut off were given their records");
  return calls.length;
}

type Files = (facts: CallFacts) => CallFacts;

/** What the disk knows of calls that were cut off, and the journal does not. */
export async function filesLeft({ leftBehind }: Pick<JournalParts, "leftBehind">): Promise<Files> {
  return (await leftBehind?.()) ?? ((facts) => facts);
}

export async function closeLeft(
  { onRecovered, withFiles }: Pick<JournalParts, "onRecovered"> & { withFiles: Files },
  journal: Pick<Journal, "closed">,
  { facts: known, cutOffMs, why }: Pick<LeftCall, "facts" | "cutOffMs" | "why">,
): Promise<void> {
  const facts = withFiles(known);
  await onRecovered?.(facts);
  const told: StoryFact[] = [{ is: "exchange-stopped" }, ...(why ? [{ is: "not-resumed", why } as const] : [])];
  const story = [...(facts.story ?? []), ...told.map((fact) => ({ atMs: cutOffMs, ...fact }))];
  await journal.closed({ ...facts, story }, endOf(facts, cutOffMs));
}

function endOf(facts: CallFacts, cutOffMs: number): CallEnd {
  const endMs = Math.max(cutOffMs, facts.answerMs ?? facts.startMs);
  const number = facts.connectedUser || facts.dialedUser || facts.destinationNumber;
  const unknown = { address: "", userAgent: "", writeCodec: "", readCodec: "" };
  const answered = facts.answerMs === undefined ? {} : { answerMs: facts.answerMs };
  const leg = { number, startMs: facts.startMs, ...answered, endMs, ...unknown, cause: "SYSTEM_SHUTDOWN" as const };
  return { endMs, cause: "SYSTEM_SHUTDOWN", by: "caller", endedBy: "exchange", legs: [leg] };
}
