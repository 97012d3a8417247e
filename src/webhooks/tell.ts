// Puts call events into the outbox, in the transaction that writes what they tell of.

import { randomUUID } from "node:crypto";
import { enqueue, type NewJob } from "../jobs/jobs.ts";
import type { Db } from "../store/db.ts";
import { type EventSubscriptions, readEventSubscriptions } from "../store/event-receivers.ts";
import { type CallEvent, callEvents, printEvent } from "./events.ts";

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
  await enqueue(db, ...events.flatMap((event) => deliveryOf(event, wanted.get(event.exchangeId))));
}

function deliveryOf(event: CallEvent, wanted: EventSubscriptions | undefined): NewJob[] {
  if (!wanted?.[callEvents[event.is].switch]) return [];
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
