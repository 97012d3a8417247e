// Reading over the SMS API: what became of a campaign, what came in, titles and balance.

import { Type } from "typebox";
import { MOST_MESSAGES } from "../../sms/order.ts";
import { readPhone } from "../../sms/phone.ts";
import { inboundRow, reportOf } from "../../sms/report.ts";
import { readStamp } from "../../sms/timing.ts";
import { listInbound } from "../../store/sms-inbound.ts";
import { findCampaign, listStatuses } from "../../store/sms-status.ts";
import { listTitles } from "../../store/sms-titles.ts";
import { type JsonAnswer, json, type RefusedAnswer, refuse, text as say } from "../door/answer.ts";
import { body, limit } from "../door/guards.ts";
import type { Sent } from "../parameters/sent.ts";
import { account, type SmsContext, smsEndpoint } from "./account.ts";
import { isClean, list, MOST_ROWS, text, wholeNumber } from "./asked.ts";
import { credentials } from "./reference.ts";

export const status = smsEndpoint({
  methods: ["GET"],
  paths: ["/v2/status"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "What became of a campaign's messages, 100 at a time",
  parameters: Type.Object({
    ...credentials,
    id: Type.Optional(Type.Integer()),
    custom_id: Type.Optional(Type.String()),
    dest: Type.Optional(Type.String({ description: "only these numbers, comma-separated" })),
    greater_than: Type.Optional(Type.Integer({ description: "only messages with a greater id" })),
  }),
  example: [
    {
      campaign_id: 20212,
      campaign_custom_id: null,
      message_id: "1",
      message_custom_id: null,
      dest: "905321234567",
      size: 1,
      international_multiplier: 1,
      credits: 1,
      status: "DELIVERED",
      gsm_error: "0",
      sent_at: "2015-02-20 16:06:00",
      done_at: "2015-02-20 16:06:03",
    },
  ],
  refusals: [{ refused: "sending-not-yours" }, { refused: "sending-not-found" }],
  reply: "json",
  handle: tellStatus,
});

async function tellStatus(
  sent: Sent,
  { db, account, isAnybodysCampaign }: SmsContext,
): Promise<JsonAnswer | RefusedAnswer> {
  const customId = text(sent, "custom_id");
  const written = text(sent, "id");
  if (customId === undefined && written === undefined) return refuse({ refused: "required", field: "id or custom_id" });
  const greaterThan = readGreaterThan(sent);
  if (greaterThan === undefined) return refuse({ refused: "not-a-number", field: "greater_than" });
  const id = written === undefined ? undefined : (wholeNumber(written, 0, { least: 0, most: 1e15 }) ?? 0);
  const campaign = isClean(customId) ? await findCampaign(db, { accountId: account.id, id, customId }) : undefined;
  if (campaign && campaign.accountId !== account.id) return refuse({ refused: "sending-not-yours" });
  if (!campaign)
    return id && (await isAnybodysCampaign(id))
      ? refuse({ refused: "sending-not-yours" })
      : refuse({ refused: "sending-not-found" });
  const dests = list(sent, "dest", MOST_MESSAGES).flatMap((dest) => readPhone(dest)?.number ?? dest);
  if (!isClean(...dests)) return json([]);
  const rows = await listStatuses(db, { campaignId: campaign.id, dests, greaterThan, limit: MOST_ROWS });
  return json(rows.map((row) => reportOf(row, account.timeZone)));
}

function readGreaterThan(sent: Sent): number | undefined {
  return wholeNumber(text(sent, "greater_than"), 0, { least: 0, most: 1e15 });
}

export const inboundMessages = smsEndpoint({
  methods: ["GET"],
  paths: ["/v2/inbound_messages"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "Messages that came in, 100 at a time",
  parameters: Type.Object({
    ...credentials,
    from_time: Type.Optional(Type.String({ description: "YYYY-MM-DD HH:MM:SS" })),
    to_time: Type.Optional(Type.String({ description: "YYYY-MM-DD HH:MM:SS" })),
    greater_than: Type.Optional(Type.Integer()),
  }),
  example: [
    {
      message_id: 1,
      created_at: "2017-01-01T09:00:00.000+03:00",
      network: "TURKCELL",
      source_addr: "905321234567",
      destination_addr: "4609",
      keyword: "",
      content: "EVET",
      received_at: "2017-01-01T09:00:00.000+03:00",
    },
  ],
  reply: "json",
  async handle(sent, { db, account }) {
    const greaterThan = readGreaterThan(sent);
    if (greaterThan === undefined) return refuse({ refused: "not-a-number", field: "greater_than" });
    const from = readTime(sent, "from_time", account.timeZone);
    const to = readTime(sent, "to_time", account.timeZone);
    if (from === "wrong") return refuse({ refused: "invalid", field: "from_time" });
    if (to === "wrong") return refuse({ refused: "invalid", field: "to_time" });
    const rows = await listInbound(db, account.exchangeId, { from, to, greaterThan, limit: MOST_ROWS });
    return json(rows.map((row) => inboundRow(row, account.timeZone)));
  },
});

function readTime(sent: Sent, name: string, zone: string): Date | undefined | "wrong" {
  const written = text(sent, name);
  if (written === undefined) return undefined;
  const at = readStamp(written, zone);
  return at === undefined ? "wrong" : new Date(at);
}

export const headers = smsEndpoint({
  methods: ["GET"],
  paths: ["/v2/headers"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "The account's sender titles",
  parameters: Type.Object(credentials),
  example: ["ACME TLK", "ACMESANTRAL"],
  reply: "json",
  async handle(_, { db, account }) {
    const titles = await listTitles(db, account.exchangeId);
    return json(titles.map(({ name }) => name));
  },
});

export const balance = smsEndpoint({
  methods: ["GET"],
  paths: ["/v2/balance"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "Credits left, without those set aside for messages on their way",
  parameters: Type.Object(credentials),
  example: "123",
  reply: "text",
  handle: async (_, { account }) => say(account.credits),
});
