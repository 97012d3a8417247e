// The consent registry over the SMS API: handing consents in, and reading back what became of them.

import { Type } from "typebox";
import { openTurns } from "../../in-turns.ts";
import {
  CONSENT_SOURCES,
  CONSENT_STATUSES,
  CONSENT_TYPES,
  RECIPIENT_TYPES,
  type WrittenConsent,
} from "../../sms/consent.ts";
import { MOST_CONSENTS, uploadConsents } from "../../sms/consent-desk.ts";
import { offsetStamp, plainStamp } from "../../sms/stamp.ts";
import { CAMPAIGN_SOURCES, listConsentCampaigns, readConsentCampaign } from "../../store/consent-campaigns.ts";
import type { ConsentRecord } from "../../store/consents.ts";
import { json, refuse, text as say } from "../door/answer.ts";
import { body, limit } from "../door/guards.ts";
import { account, smsEndpoint } from "./account.ts";
import { isClean, readPage, text, textOf, wholeNumber } from "./asked.ts";
import { credentials, paging } from "./reference.ts";

/** Others have their turn after so many. */
const READ_AT_ONCE = 1_000;

export const handInConsents = smsEndpoint({
  methods: ["POST"],
  paths: ["/v2/iys_consents"],
  shownPath: "/v2/iys_consents.json",
  guards: [account, limit("smsSend"), body],
  group: "SMS",
  summary: "Hand in consents (documented as /v2/iys_consents.json)",
  parameters: Type.Object({
    ...credentials,
    source_addr: Type.Optional(Type.String()),
    iys_brand_code: Type.Optional(Type.String({ description: "instead of source_addr" })),
    consents: Type.Array(
      Type.Object({
        type: Type.Enum([...CONSENT_TYPES]),
        source: Type.Enum([...CONSENT_SOURCES]),
        status: Type.Enum([...CONSENT_STATUSES]),
        recipient_type: Type.Enum([...RECIPIENT_TYPES]),
        consent_date: Type.Optional(Type.String({ description: "YYYY-MM-DD HH:MM:SS" })),
        recipient: Type.String({ description: "number or e-mail address; also called phone" }),
      }),
    ),
  }),
  example: "20212",
  refusals: [
    { refused: "sms", code: "MISSING_CONSENT" },
    { refused: "sms", code: "MISSING_CONSENT_DATE" },
    { refused: "sms", code: "INVALID_CONSENT_DATE" },
    { refused: "sms", code: "INVALID_RECIPIENT" },
    { refused: "sms", code: "INVALID_IYS_RECIPIENT_TYPE" },
    { refused: "sms", code: "INVALID_SOURCE_ADDRESS" },
    { refused: "sms", code: "MISSING_IYS_BRAND_CODE" },
  ],
  reply: "text",
  async handle(sent, { db, clock, account }) {
    const consents = await readAllWritten(sent.get("consents") ?? []);
    if (!consents) return refuse({ refused: "unreadable", what: "utf8" });
    const upload = { source: text(sent, "source_addr"), brandCode: text(sent, "iys_brand_code"), consents };
    const uploaded = await uploadConsents(db, clock, account, upload);
    return "refused" in uploaded ? refuse({ refused: "sms", code: uploaded.refused }) : say(uploaded.campaignId);
  },
});

/** No further than it takes to see that they are too many; undefined where a text cannot be kept. */
async function readAllWritten(sent: readonly unknown[]): Promise<WrittenConsent[] | undefined> {
  const consents: WrittenConsent[] = [];
  const turns = openTurns(READ_AT_ONCE);
  for (const value of sent.slice(0, MOST_CONSENTS + 1)) {
    const written = readWritten(value);
    if (!isClean(written.recipient)) return undefined;
    consents.push(written);
    const others = turns();
    if (others) await others;
  }
  return consents;
}

function readWritten(value: unknown): WrittenConsent {
  const entry = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const fields = {
    type: textOf(entry.type),
    source: textOf(entry.source),
    status: textOf(entry.status),
    recipientType: textOf(entry.recipient_type),
    recipient: textOf(entry.recipient ?? entry.phone),
    date: textOf(entry.consent_date),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
}

export const consentCampaigns = smsEndpoint({
  methods: ["GET"],
  paths: ["/v2/iys/campaigns"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "Consent uploads and daily reports, newest first",
  parameters: Type.Object({ ...credentials, ...paging, source: Type.Optional(Type.Enum([...CAMPAIGN_SOURCES])) }),
  example: {
    records: [
      {
        id: 1234,
        header_name: "BASLIGIM",
        iys_code: 600000,
        iys_brand_code: 600001,
        source: "api",
        created_at: "2021-01-18T07:00:00.000+03:00",
      },
    ],
    total: 1,
  },
  reply: "json",
  async handle(sent, { db, account }) {
    const page = readPage(sent);
    if ("wrong" in page) return refuse(page.wrong);
    const source = text(sent, "source")?.trim();
    if (source !== undefined && !CAMPAIGN_SOURCES.some((known) => known === source))
      return refuse({ refused: "invalid", field: "source" });
    const { total, records } = await listConsentCampaigns(db, account.exchangeId, { ...page, source });
    const rows = records.map(({ id, titleName, iysCode, iysBrandCode, source, createdAt }) => ({
      id,
      header_name: titleName,
      iys_code: iysCode,
      iys_brand_code: iysBrandCode,
      source,
      created_at: offsetStamp(createdAt, account.timeZone),
    }));
    return json({ records: rows, total });
  },
});

export const consentsOfCampaign = smsEndpoint({
  methods: ["GET"],
  paths: ["/v2/iys/campaigns/:id/consents"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "The consents of one upload, and what the registry said of each",
  parameters: Type.Object({ id: Type.String(), ...credentials, ...paging }),
  example: {
    total: 1,
    source_addr: "BASLIGIM",
    status: "Tamamlandı",
    records: [
      {
        type: "MESAJ",
        source: "HS_WEB",
        recipient: "905321234567",
        status: "ONAY",
        consent_date: "2022-04-14 13:30:30",
        recipient_type: "BIREYSEL",
        request_status: "Başarılı",
      },
    ],
  },
  refusals: [{ refused: "no-such-sending", id: "<id>" }],
  reply: "json",
  async handle(sent, { db, account }) {
    const page = readPage(sent);
    if ("wrong" in page) return refuse(page.wrong);
    const id = wholeNumber(text(sent, "id"), 0, { least: 0, most: 1e15 });
    const campaign = id === undefined ? undefined : await readConsentCampaign(db, account.exchangeId, id, page);
    if (!campaign) return refuse({ refused: "no-such-sending", id: String(id ?? "") });
    const { total, titleName, finished, records } = campaign;
    return json({
      total,
      source_addr: titleName,
      status: finished ? "Tamamlandı" : "İşleniyor",
      records: records.map((record) => consentRow(record, account.timeZone)),
    });
  },
});

const REQUEST_STATUS = { true: "Başarılı", false: "Başarısız", null: "Bekliyor" } as const;

function consentRow(record: ConsentRecord, zone: string) {
  const { type, source, recipient, status, recipientType, consentedAt, taken, error } = record;
  return {
    type,
    source,
    recipient,
    status,
    consent_date: plainStamp(consentedAt, zone),
    recipient_type: recipientType,
    request_status: REQUEST_STATUS[`${taken}`],
    ...(error === null ? {} : { request_error: error }),
  };
}
