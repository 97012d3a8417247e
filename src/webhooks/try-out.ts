// For people who set up a receiver of call events: an event nobody telephoned for, and one that is sent once more.

import { randomUUID } from "node:crypto";
import { type Clock, since } from "../clock.ts";
import { enqueue } from "../jobs/jobs.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "../store/db.ts";
import { findDelivery } from "../store/event-deliveries.ts";
import { readEventReceiver, readEventSubscriptions } from "../store/event-receivers.ts";
import { CANNOT_SIGN, headersOf } from "./deliver.ts";
import { type CallEvent, printEvent } from "./events.ts";
import type { Requester } from "./requester.ts";
import { DELIVER_EVENT, type Delivery } from "./tell.ts";

export type TriedOut = { url: string; body: string; tookMs: number; answer: { status: number } | { failed: string } };

const UNANSWERED_CALL = "00000000-0000-4000-8000-000000000000";

/** Undefined when the exchange has no receiver. The made-up call is recognised by its uuid of zeros. */
export async function sendTestEvent(
  { db, secrets, clock, requester }: { db: Db; secrets: Secrets; clock: Clock; requester: Requester },
  exchangeId: number,
): Promise<TriedOut | undefined> {
  const [receiver, wanted] = await Promise.all([
    readEventReceiver(db, secrets, exchangeId),
    readEventSubscriptions(db, [exchangeId]).then((all) => all.get(exchangeId)),
  ]);
  if (!receiver || !wanted) return undefined;
  const [began, startMs] = [clock.ticks(), clock.wall()];
  const event: CallEvent = {
    is: "ringing",
    exchangeId,
    callUuid: UNANSWERED_CALL,
    direction: "inbound",
    startMs,
    callerIdNumber: "05000000000",
    outboundCallerIdNumber: "",
    destinationNumber: "1000",
    dialedUser: "1000",
  };
  const body = printEvent(event, wanted.timeZone);
  const { url, secret } = receiver;
  if (typeof secret !== "string") return { url, body, tookMs: 0, answer: { failed: CANNOT_SIGN } };
  const signed = headersOf({ delivery: randomUUID(), attempt: 1, body, secret }, startMs);
  const headers = { ...signed, "X-Santral-Test": "true" };
  const answer = await requester.ask(url, { method: "POST", headers, body });
  return {
    url,
    body,
    tookMs: Math.round(since(clock, began)),
    answer: "failed" in answer ? { failed: answer.failed } : { status: answer.status },
  };
}

/** The same event with the same id goes out again, to wherever events go now. False: nothing is known of it. */
export async function redeliver(db: Db, exchangeId: number, delivery: string): Promise<boolean> {
  const found = await findDelivery(db, exchangeId, delivery);
  if (!found) return false;
  const { event, callUuid, body } = found;
  const payload: Delivery = { exchangeId, delivery, event: event as Delivery["event"], callUuid, body };
  await enqueue(db, {
    kind: DELIVER_EVENT,
    payload,
    uniqueKey: delivery,
    maxAttempts: 5,
    lane: `call ${callUuid}`,
    share: `webhook ${exchangeId}`,
  });
  return true;
}
