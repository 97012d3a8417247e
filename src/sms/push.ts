// Pushes to customers: owed reports and inbound messages become arrays in the durable outbox, and go out from there.

import type { JobHandler, Outcome } from "../jobs/handler.ts";
import { enqueue } from "../jobs/jobs.ts";
import type { Db } from "../store/db.ts";
import { inboundOf } from "../store/sms-inbound.ts";
import { accountsOwed, type OwedTo, takeOwedPushes } from "../store/sms-pushes.ts";
import { statusesOf } from "../store/sms-status.ts";
import type { Requester } from "../webhooks/requester.ts";
import { deliveryReport, inboundPush } from "./report.ts";

export const PUSH_JOB = "sms-push";

type Account = { exchangeId: number; accountId: number };
type Push = { url: string; body: string };

const MOST_IN_ONE_PUSH = 500;
const FIVE_MINUTES_MS = 5 * 60_000;
/** The first and three more, five minutes apart; then the push is given up. */
const ATTEMPTS = 4;

/** In one transaction the debts leave their list and stand in the outbox: neither forgotten nor told twice. */
export async function gatherPushes(db: Db): Promise<void> {
  for (const owed of await accountsOwed(db)) while (await gatherOne(db, owed)) {}
}

function gatherOne(db: Db, { accountId, exchangeId, pushUrl, timeZone }: OwedTo): Promise<boolean> {
  return db.transaction(async (db) => {
    const taken = await takeOwedPushes(db, accountId, MOST_IN_ONE_PUSH);
    if (pushUrl) {
      const messageIds = taken.flatMap(({ messageId }) => messageId ?? []);
      const inboundIds = taken.flatMap(({ inboundId }) => inboundId ?? []);
      const statuses = messageIds.length > 0 ? await statusesOf(db, accountId, messageIds) : [];
      const inbound = inboundIds.length > 0 ? await inboundOf(db, exchangeId, inboundIds) : [];
      await enqueuePush(
        db,
        pushUrl,
        statuses.map((status) => deliveryReport(status, timeZone)),
        { exchangeId, accountId },
      );
      await enqueuePush(
        db,
        pushUrl,
        inbound.map((message) => inboundPush(message, timeZone)),
        { exchangeId, accountId },
      );
    }
    return taken.length === MOST_IN_ONE_PUSH;
  });
}

/** One array, or one object as it is; an empty array is not worth a visit. */
export async function enqueuePush(db: Db, url: string, content: object, whose: Account): Promise<void> {
  if (Array.isArray(content) && content.length === 0) return;
  const payload: Push = { url, body: JSON.stringify(content) };
  await enqueue(db, {
    kind: PUSH_JOB,
    payload,
    share: `sms ${whose.exchangeId} ${whose.accountId}`,
    maxAttempts: ATTEMPTS,
  });
}

export function deliverPushes(requester: Requester): JobHandler {
  return {
    async run({ url, body }: Push, { id, attempt, signal }): Promise<Outcome> {
      const headers = {
        "Content-Type": "application/json",
        "X-Santral-Delivery": `sms-${id}`,
        "X-Santral-Attempt": String(attempt),
      };
      const answer = await requester.ask(url, { method: "POST", headers, body, signal });
      if ("failed" in answer) return { retry: answer.failed };
      return answer.status === 200 ? undefined : { retry: `answered ${answer.status}` };
    },
    backOffMs: () => FIVE_MINUTES_MS,
    exactBackOff: true,
  };
}
