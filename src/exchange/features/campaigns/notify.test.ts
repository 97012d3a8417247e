import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { startWorkers } from "../../../jobs/workers.ts";
import { silentLog } from "../../../log.ts";
import { renewSigningSecret } from "../../../store/event-receivers.ts";
import { sql } from "../../../store/sql.ts";
import type { Requester, WebRequest } from "../../../webhooks/requester.ts";
import { deliverNotifications, NOTIFY_JOB, type Notification, oweNotifications, printNotification } from "./notify.ts";

const survey: Notification = {
  exchangeId: 429,
  campaignId: 131,
  campaignName: "Memnuniyet anketi",
  url: "http://crm.example/",
  numberId: 1878,
  number: "905321234567",
  digit: "2",
  status: "Cevaplandı",
  callUuid: "aacdb242",
  atMs: Date.UTC(2017, 4, 10, 13, 18, 56),
};

test("a notification's fields stand in the documented order, as a form", () => {
  const body = printNotification(survey, 5);
  expect(body).toBe(
    "notification_id=5&notification_date=2017-05-10+13%3A18%3A56+UTC&domain_id=429&ivr_campaign_id=131" +
      "&ivr_campaign_name=Memnuniyet+anketi&ivr_lead_id=1878&phone=905321234567&digit=2&status=Cevapland%C4%B1" +
      "&call_uuid=aacdb242",
  );
});

test("a notification is signed like a call event, and has the same id when it is sent again", async () => {
  const { db } = await freshDatabase();
  const clock = testClock(Date.UTC(2026, 2, 2, 8));
  await db.query(
    sql`insert into exchanges (id, name, sip_domain, crm_secret) values (429, 'town', 'town.example', 'secret')`,
  );
  const secret = await renewSigningSecret(db, secrets, 429);
  const heard: { url: string; request: WebRequest }[] = [];
  const requester: Requester = {
    ask: async (url, request) => ({ status: heard.push({ url, request }) === 1 ? 503 : 200, body: "" }),
    close: () => undefined,
  };
  const handlers = { [NOTIFY_JOB]: deliverNotifications({ db, secrets, clock, requester }) };
  const workers = await startWorkers({ db, clock, log: silentLog, handlers });
  await oweNotifications(db, [survey]);
  await workers.idle();
  clock.pass(5_000);
  await workers.idle();
  await workers.stop();
  expect(heard).toHaveLength(2);
  const [first, second] = heard.map(({ request }) => request);
  expect(second?.body).toBe(first?.body);
  const id = new URLSearchParams(first?.body).get("notification_id");
  for (const [attempt, { url, request }] of heard.entries()) {
    const signature = request.headers?.["X-Santral-Signature"] ?? "";
    const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    expect(mac).toBe(createHmac("sha256", secret).update(`${time}.${request.body}`).digest("hex"));
    expect(Number(time) * 1_000).toBe(Date.UTC(2026, 2, 2, 8) + attempt * 5_000);
    expect({ url, ...request.headers }).toMatchObject({
      url: "http://crm.example/",
      "X-Santral-Delivery": `campaign-${id}`,
      "X-Santral-Attempt": String(attempt + 1),
    });
  }
});
