// What the journal has to write of one call, and how it lies on disk while the database is away.

import type { ClosedCall, LiveCall } from "../../store/live-calls.ts";
import type { CallEvent } from "../../webhooks/events.ts";

/** What a later process needs of a call is asked when it is written, and is then as new as can be. */
type NotedCall = LiveCall & { keep?(): string | undefined; noted?: number };

export type Entry = {
  live?: NotedCall | undefined;
  events: CallEvent[];
  closed?: { record: ClosedCall; hangup: CallEvent } | undefined;
  /** This node lived then. Of no call. */
  signMs?: number | undefined;
  onWritten?: (() => void)[] | undefined;
};

/** Of a call that is over nothing stands among those that are up. */
export function merge(older: Entry, newer: Entry): Entry {
  const closed = newer.closed ?? older.closed;
  return {
    live: closed ? undefined : (newer.live ?? older.live),
    events: [...older.events, ...newer.events],
    closed,
    signMs: newer.signMs ?? older.signMs,
    onWritten: [...(older.onWritten ?? []), ...(newer.onWritten ?? [])],
  };
}

export function packEntry({ onWritten: _nobodysAfterACrash, ...entry }: Entry): unknown {
  const { live, events, closed, signMs } = entry;
  if (!live && !closed && signMs === undefined && events.length === 0) return undefined;
  return live ? { ...entry, live: writtenNow(live) } : entry;
}

/** The facts are those of this moment; what was told since is written with what comes next, and counts only then. */
export function writtenNow({ keep, noted, ...live }: NotedCall): LiveCall {
  const facts = noted === undefined ? live.facts : { ...live.facts, noted };
  return keep ? { ...live, facts, resume: keep() } : { ...live, facts };
}

/** As JSON. What is kept of the call is that already, and is not written a second time. */
export function printEntry({ live, events }: Pick<Entry, "live" | "events">): string {
  const { resume = "null", ...bare } = live ? writtenNow(live) : {};
  return `{"live":${JSON.stringify(bare)},"events":${JSON.stringify(events)},"resume":${resume}}`;
}

/** What `printEntry` printed. */
export function readEntry(text: string): Entry {
  const { live, events, resume } = JSON.parse(text) as { live: LiveCall; events: CallEvent[]; resume: object | null };
  return { live: { ...live, ...(resume && { resume: JSON.stringify(resume) }) }, events };
}

/** What `packEntry` made, after JSON has been through it. */
export function unpackEntry(packed: unknown): Entry {
  const entry = packed as Entry;
  const resume: unknown = entry.live?.resume;
  // Earlier versions packed it as it was.
  if (entry.live && resume && typeof resume === "object") entry.live.resume = JSON.stringify(resume);
  if (!entry.closed) return entry;
  const { record, hangup } = entry.closed;
  const { startStamp, answerStamp, endStamp } = record.cdr;
  const cdr = {
    ...record.cdr,
    startStamp: new Date(startStamp),
    answerStamp: answerStamp && new Date(answerStamp),
    endStamp: new Date(endStamp),
  };
  return { ...entry, closed: { record: { ...record, cdr }, hangup } };
}
