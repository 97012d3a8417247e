// Puts call events into the outbox, in the transaction that writes what they tell of.

import { randomUUID } from "node:crypto";
import { enqueue, type NewJob } from "../jobs/jobs.ts";
import { type CallNote, lockNotes, notesOfCalls } from "../store/call-notes.ts";
import type { Db } from "../store/db.ts";
import { type EventSubscriptions, readEventSubscriptions } from "../store/event-receivers.ts";
import { type CallEvent, callEvents, printEvent, type ToldNote } from "./events.ts";

export const DELIVER_EVENT = "webhook.deliver";

/** The text is fixed when the event happens; where it goes is asked when it is sent, so that a corrected URL gets it. */
export type Delivery = {
  exchangeId: number;
  delivery: string;
  event: CallEvent["is"] | "queue_alarm";
  callUuid: string;
  body: string;
};

const HOUR = 3_600_000;
const LONGEST_WAIT_MS = HOUR / 12;
const KEEP_TRYING_MS = 24 * HOUR;

/** Who of those that the events are about wants any. */
export async function wantedBy(db: Db, events: readonly { exchangeId: number }[]): Promise<Wanted> {
  const exchangeIds = [...new Set(events.map(({ exchangeId }) => exchangeId))];
  return exchangeIds.length === 0 ? new Map() : readEventSubscriptions(db, exchangeIds);
}

export type Wanted = ReadonlyMap<number, EventSubscriptions>;

/** Events of one call reach the receiver in the order in which they are told here. */
export async function oweTo(db: Db, wanted: Wanted, events: readonly CallEvent[]): Promise<void> {
  const told = await withNotes(db, wanted, events);
  await enqueue(db, ...told.flatMap((event) => deliveryOf(event, wanted.get(event.exchangeId))));
}

/** After the records of these calls were written: what comes too late for this is told by itself. */
async function withNotes(db: Db, wanted: Wanted, events: readonly CallEvent[]): Promise<readonly CallEvent[]> {
  const about = events.filter(({ is, exchangeId }) => is === "hangup" && wanted.get(exchangeId)?.notes);
  if (about.length === 0) return events;
  const uuids = about.map(({ callUuid }) => callUuid);
  await lockNotes(db, uuids);
  const notes = new Map<string, CallNote[]>();
  for (const exchangeId of new Set(about.map((event) => event.exchangeId)))
    for (const note of await notesOfCalls(db, exchangeId, uuids))
      notes.set(`${exchangeId} ${note.callUuid}`, [...(notes.get(`${exchangeId} ${note.callUuid}`) ?? []), note]);
  return events.map((event) => {
    if (event.is !== "hangup" || !wanted.get(event.exchangeId)?.notes) return event;
    return { ...event, written: lastOf(notes.get(`${event.exchangeId} ${event.callUuid}`) ?? [], event.connectedUser) };
  });
}

/** Of several agents whoever had the call last; nothing written is told as such. */
function lastOf(notes: readonly CallNote[], connectedUser: string | undefined): ToldNote {
  const found = notes.find(({ extension }) => extension === connectedUser) ?? notes.at(-1);
  return found ?? { disposition: null, tags: [], note: "" };
}

function deliveryOf(event: CallEvent, wanted: EventSubscriptions | undefined): NewJob[] {
  const { switch: by, withNotes } = callEvents[event.is];
  if (!wanted?.[by] || (withNotes && !wanted.notes)) return [];
  const { exchangeId, callUuid } = event;
  const body = printEvent(event, wanted.timeZone);
  const payload: Delivery = { exchangeId, delivery: randomUUID(), event: event.is, callUuid, body };
  const share = `webhook ${exchangeId}`;
  return [{ kind: DELIVER_EVENT, payload, lane: `call ${callUuid}`, share, maxAttempts: attemptsInADay() }];
}

/** Two seconds, doubling, never more than five minutes: a receiver that is back is not kept waiting. */
export function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, 2 ** Math.min(failures, 30) * 1_000);
}

export function attemptsInADay(): number {
  let attempts = 1;
  for (let waitedMs = 0; waitedMs < KEEP_TRYING_MS; attempts++) waitedMs += waitAfter(attempts);
  return attempts;
}
