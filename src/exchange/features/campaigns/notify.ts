// What a campaign's owner is told: one POST for each key, or for an attempt without one, owed from the moment it is true.

import type { JobHandler, Outcome } from "../../../jobs/handler.ts";
import { enqueue } from "../../../jobs/jobs.ts";
import { takeNotificationIds } from "../../../store/campaign-numbers.ts";
import type { Db } from "../../../store/db.ts";
import { readSigningSecret } from "../../../store/event-receivers.ts";
import { CANNOT_SIGN, type DeliveryParts, headersOf } from "../../../webhooks/deliver.ts";
import { printStamp } from "../../../webhooks/events.ts";
import { attemptsInADay, waitAfter } from "../../../webhooks/tell.ts";

export const NOTIFY_JOB = "campaign.notify";

export type Notification = {
  exchangeId: number;
  campaignId: number;
  campaignName: string;
  url: string;
  /** The interface's ivr_lead_id. */
  numberId: number;
  number: string;
  /** Empty: there was none. */
  digit: string;
  status: string;
  callUuid: string;
  atMs: number;
};

type Owed = { exchangeId: number; url: string; body: string };

/** In the transaction that writes what they tell of. An id once given is never given again. */
export async function oweNotifications(db: Db, notifications: readonly Notification[]): Promise<void> {
  if (notifications.length === 0) return;
  const ids = await takeNotificationIds(db, notifications.length);
  const jobs = notifications.map((notification, place) => {
    const { callUuid, exchangeId, url } = notification;
    const payload: Owed = { exchangeId, url, body: printNotification(notification, ids[place] ?? 0) };
    return {
      kind: NOTIFY_JOB,
      payload,
      lane: `campaign call ${callUuid}`,
      share: `campaign webhook ${exchangeId}`,
      maxAttempts: attemptsInADay(),
    };
  });
  await enqueue(db, ...jobs);
}

/** Form fields in the documented order. */
export function printNotification(notification: Notification, id: number): string {
  const { exchangeId, campaignId, campaignName, numberId, number, digit, status, callUuid, atMs } = notification;
  return new URLSearchParams([
    ["notification_id", String(id)],
    ["notification_date", `${printStamp(atMs, "UTC")} UTC`],
    ["domain_id", String(exchangeId)],
    ["ivr_campaign_id", String(campaignId)],
    ["ivr_campaign_name", campaignName],
    ["ivr_lead_id", String(numberId)],
    ["phone", number],
    ["digit", digit],
    ["status", status],
    ["call_uuid", callUuid],
  ]).toString();
}

/** The keys of one call arrive in the order in which they were pressed, signed as call events are. */
export function deliverNotifications({ db, secrets, clock, requester }: DeliveryParts): JobHandler {
  return {
    async run({ exchangeId, url, body }: Owed, { attempt, signal }): Promise<Outcome> {
      const secret = await readSigningSecret(db, secrets, exchangeId);
      if (secret === undefined) return undefined; // the exchange is gone, and whoever wanted to be told with it
      if (typeof secret !== "string") return { retry: CANNOT_SIGN };
      const delivery = `campaign-${new URLSearchParams(body).get("notification_id")}`;
      const headers = headersOf({ delivery, attempt, body, secret }, clock.wall());
      const answer = await requester.ask(url, { method: "POST", headers, body, signal });
      if ("failed" in answer) return { retry: answer.failed };
      return answer.status >= 200 && answer.status < 300 ? undefined : { retry: `answered ${answer.status}` };
    },
    backOffMs: waitAfter,
  };
}
