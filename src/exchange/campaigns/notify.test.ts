import { expect, test } from "vitest";
import { printNotification } from "./notify.ts";

test("a notification's fields stand in the documented order, as a form", () => {
  const body = printNotification(
    {
      ...{ exchangeId: 429, campaignId: 131, campaignName: "Memnuniyet anketi", url: "http://crm.example/" },
      ...{ numberId: 1878, number: "905321234567", digit: "2", status: "Cevaplandı", callUuid: "aacdb242" },
      atMs: Date.UTC(2017, 4, 10, 13, 18, 56),
    },
    5,
  );
  expect(body).toBe(
    "notification_id=5&notification_date=2017-05-10+13%3A18%3A56+UTC&domain_id=429&ivr_campaign_id=131" +
      "&ivr_campaign_name=Memnuniyet+anketi&ivr_lead_id=1878&phone=905321234567&digit=2&status=Cevapland%C4%B1" +
      "&call_uuid=aacdb242",
  );
});
