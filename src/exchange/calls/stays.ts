// Queues and ring groups that a call comes to: how long it stays at each, and what becomes of it there.

import type { CallPass } from "../../store/call-passes.ts";
import type { CallFacts, Stay } from "./call-facts.ts";

/** However often a call is sent around, what is kept of it has an end. */
const MOST_STAYS = 50;

/** Who was taken before he came waits for another: until that one takes him, nobody has. */
export function comesTo(facts: CallFacts, queue: string, nowMs: number): Stay[] {
  const stays = facts.stays ?? staysBefore(facts, nowMs);
  const last = stays.at(-1);
  if (last?.queue === queue && last.waitSeconds === undefined) return stays; // an earlier process brought it here
  const former = last ? [...stays.slice(0, -1), gone(last, nowMs)] : [];
  const isTaken = facts.answerMs !== undefined;
  return [...former.slice(1 - MOST_STAYS), { queue, sinceMs: nowMs, ...(isTaken && { end: "abandoned" }) }];
}

/** It leaves where it is, after so long or now. */
export function leaves(
  { stays = [] }: CallFacts,
  how: ({ waitSeconds: number } | { nowMs: number }) & { end: Stay["end"] },
): Stay[] {
  const last = stays.at(-1);
  if (!last) return [];
  const waitSeconds = "nowMs" in how ? waited(last, how.nowMs) : how.waitSeconds;
  return [...stays.slice(0, -1), { ...last, waitSeconds, ...(how.end && { end: how.end }) }];
}

export function passedOn(facts: CallFacts, nowMs: number): Partial<CallFacts> {
  const stays = leaves(facts, { nowMs, end: "passed-on" });
  if (facts.queuedMs === undefined) return { stays };
  return { stays, queueWaitSeconds: inSeconds(nowMs - facts.queuedMs), queuedMs: undefined };
}

/** By somebody, while it waits; undefined where it does not. */
export function sentOn(facts: CallFacts, nowMs: number): Partial<CallFacts> | undefined {
  return isWaiting(facts) ? passedOn(facts, nowMs) : undefined;
}

/** At a queue or ring group. */
export function isWaiting({ stays }: CallFacts): boolean {
  const last = stays?.at(-1);
  return last !== undefined && last.waitSeconds === undefined;
}

/** For the record: what it does not say otherwise of the last one, and those before. */
export function passesOf(facts: CallFacts, { endMs, waitSeconds }: { endMs: number; waitSeconds: number }) {
  const stays = (facts.stays ?? []).map((stay) => ({ ...stay, waitSeconds: waitOf(facts, stay, endMs) }));
  const here = stays.filter(({ queue }) => queue === facts.queue);
  const passes = passesIn(stays.filter((stay) => !here.includes(stay)));
  const last = stays.at(-1);
  if (!last || last.queue !== facts.queue) return { passes, queueStaySeconds: null, queueEnd: null };
  const stayed = added(here, (stay) => stay.waitSeconds);
  const wasTaken = here.some(({ end }) => end === "answered");
  return {
    passes,
    queueStaySeconds: stayed === waitSeconds ? null : stayed,
    queueEnd: wasTaken || last.end === "answered" ? null : (last.end ?? null),
  };
}

/** Whoever began the call, or an earlier version, noted the queue alone. */
function staysBefore({ queue, queuedMs, queueWaitSeconds, answerMs }: CallFacts, nowMs: number): Stay[] {
  if (queue === undefined) return [];
  if (queuedMs !== undefined) return [{ queue, sinceMs: queuedMs }];
  const end = answerMs === undefined ? "passed-on" : "answered";
  const sinceMs = (answerMs ?? nowMs) - queueWaitSeconds * 1_000;
  return [{ queue, sinceMs, waitSeconds: queueWaitSeconds, end }];
}

/** What it was before it came to the next one. */
function gone(stay: Stay, nowMs: number): Stay {
  const waitSeconds = waited(stay, nowMs);
  if (stay.end !== "answered") return { ...stay, waitSeconds, end: "passed-on" };
  return { ...stay, talkSeconds: Math.max(0, inSeconds(nowMs - stay.sinceMs) - waitSeconds) };
}

function passesIn(stays: readonly Stay[]): CallPass[] {
  return [...new Set(stays.map(({ queue }) => queue))].map((queue) => {
    const those = stays.filter((stay) => stay.queue === queue);
    return {
      queue,
      waitSeconds: added(those, (stay) => stay.waitSeconds),
      answered: those.some(({ end }) => end === "answered"),
      talkSeconds: added(those, (stay) => stay.talkSeconds),
    };
  });
}

function waited({ waitSeconds, sinceMs }: Stay, nowMs: number): number {
  return waitSeconds ?? inSeconds(nowMs - sinceMs);
}

/** Until its end, or until somebody took it whom nobody noted. */
function waitOf({ answerMs, queuedMs }: CallFacts, stay: Stay, endMs: number): number {
  const untilMs = stay.end === undefined ? (answerMs ?? endMs) : endMs;
  return waited({ ...stay, sinceMs: queuedMs ?? stay.sinceMs }, untilMs);
}

function added(stays: readonly Stay[], of: (stay: Stay) => number | undefined): number {
  return stays.reduce((sum, stay) => sum + (of(stay) ?? 0), 0);
}

function inSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1_000));
}
