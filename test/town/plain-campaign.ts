// A campaign with nothing special about it, for tests that want only one or two things to be different.

import type { NewCampaign } from "../../src/store/campaigns.ts";

export const plainCampaign: Omit<NewCampaign, "exchangeId" | "createdMs"> = {
  name: "Memnuniyet anketi",
  callType: "ivr",
  queueNumber: null,
  threadMultiplier: 1,
  maxThreadCount: null,
  dateBegin: "2026-01-01",
  dateEnd: "2026-12-31",
  timeBegin: "00:00",
  timeEnd: "23:59",
  activeDays: [1, 2, 3, 4, 5, 6, 7],
  ringSeconds: 30,
  cli: null,
  welcomeAnnouncementId: 7,
  callRetries: 0,
  webhookUrl: null,
  targets: {},
  digitRetries: 0,
  digitTimeoutSeconds: 4,
  isCommercial: false,
  recipientType: null,
  brandCode: null,
  recordingEnabled: false,
  detectsMachines: false,
  abandonCap: 0.03,
};
