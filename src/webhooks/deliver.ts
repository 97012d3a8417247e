// Sends an owed call event to its receiver: signed, with an id that stays the same however often it is sent.

import { createHmac } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { JobHandler, Outcome, RunningJob } from "../jobs/handler.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "../store/db.ts";
import { noteDelivery } from "../store/event-deliveries.ts";
import { readEventReceiver } from "../store/event-receivers.ts";
import type { Requester } from "./requester.ts";
import { type Delivery, waitAfter } from "./tell.ts";

export type DeliveryParts = { db: Db; secrets: Pick<Secrets, "open">; clock: Clock; requester: Requester };

/** Why nothing is sent to a receiver that could not check it. */
export const CANNOT_SIGN = "not sent: the secret that signs it cannot be opened";

/** Events told a day ago are dead and no reason to hold back the later ones of the call. */
export function deliverEvents(parts: DeliveryParts): JobHandler {
  return { run: (delivery: Delivery, job) => deliver(parts, delivery, job), backOffMs: waitAfter };
}

async function deliver(
  { db, secrets, clock, requester }: DeliveryParts,
  { exchangeId, delivery, event, callUuid, body }: Delivery,
  { attempt, signal }: RunningJob,
): Promise<Outcome> {
  const receiver = await readEventReceiver(db, secrets, exchangeId);
  if (!receiver) return undefined; // nobody wants to be told any more
  const { url, secret } = receiver;
  const post = (secret: string) => {
    const headers = headersOf({ delivery, attempt, body, secret }, clock.wall());
    return requester.ask(url, { method: "POST", headers, body, signal });
  };
  const answer = typeof secret === "string" ? await post(secret) : { failed: CANNOT_SIGN };
  const delivered = !("failed" in answer) && answer.status >= 200 && answer.status < 300;
  const said = "failed" in answer ? answer.failed : refusalOf(answer.status);
  const noted = { delivery, exchangeId, event, callUuid, body, url, attempts: attempt };
  await noteDelivery(db, { ...noted, delivered, answer: said, atMs: clock.wall() });
  return delivered ? undefined : { retry: said };
}

export type SignedText = { delivery: string; attempt: number; body: string; secret: string };

export function headersOf({ delivery, attempt, body, secret }: SignedText, nowMs: number): Record<string, string> {
  return {
    "Content-Type": "application/x-www-form-urlencoded",
    "X-Santral-Delivery": delivery,
    "X-Santral-Attempt": String(attempt),
    "X-Santral-Signature": sign(body, secret, nowMs),
  };
}

/** `t=<Unix seconds>,v1=<hex of HMAC-SHA256 over "t.body">`: the time keeps an old event from being played again. */
function sign(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

function refusalOf(status: number): string {
  return status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`;
}
