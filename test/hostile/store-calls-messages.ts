// Messages, their accounts, carriers and consents, asked of the store for ours with their numbers, names and ids.

import * as consentCampaigns from "../../src/store/consent-campaigns.ts";
import * as consents from "../../src/store/consents.ts";
import * as accounts from "../../src/store/sms-accounts.ts";
import * as blacklist from "../../src/store/sms-blacklist.ts";
import * as smsCampaigns from "../../src/store/sms-campaigns.ts";
import * as carriers from "../../src/store/sms-carriers.ts";
import * as inbound from "../../src/store/sms-inbound.ts";
import * as ready from "../../src/store/sms-ready-texts.ts";
import { searchCampaigns, searchInbound } from "../../src/store/sms-search.ts";
import { recentCampaigns } from "../../src/store/sms-status.ts";
import * as titles from "../../src/store/sms-titles.ts";
import * as days from "../../src/store/special-days.ts";
import { secrets } from "../ground/secrets.ts";
import type { Furnished } from "./handles.ts";
import { type Both, type Call, call } from "./store-call.ts";

const PAGE = { page: 1, limit: 100 };
const ROWS = { offset: 0, limit: 100 };
const NOW = new Date();
const FAR = new Date("2032-01-01T00:00:00Z");

export function messageCalls(both: Both): Call[] {
  return [...smsCalls(both), ...consentCalls(both)];
}

function smsCalls({ us, them }: Both): Call[] {
  const { exchangeId, id: own } = us;
  const { id, username, title } = them;
  const money = { accountId: id, credits: 1, at: NOW, exchangeId };
  const span = { from: undefined, before: undefined };
  return [
    call(accounts.createSmsAccount, exchangeId, { username }),
    call(accounts.renewSmsPassword, exchangeId, username),
    call(accounts.listSmsAccounts, exchangeId),
    call(accounts.findSmsAccount, exchangeId, username),
    call(accounts.updateSmsAccount, exchangeId, id, { international: true, pushUrl: "https://ours.example.com" }),
    call(accounts.addCredits, money),
    ...[id, own].map((accountId) =>
      call(accounts.reserveCredits, {
        ...{ exchangeId, accountId, at: NOW },
        campaigns: [{ campaignId: id, credits: 1 }],
      }),
    ),
    call(blacklist.addToBlacklist, { exchangeId, phones: [them.blocked], source: "manual", now: NOW }),
    ...["905320009988", them.blocked].map((phone) => call(blacklist.removeFromBlacklist, exchangeId, [phone])),
    call(blacklist.listBlacklist, exchangeId, ROWS),
    ...[
      { accountId: id, titleId: own },
      { accountId: own, titleId: id },
    ].map(({ accountId, titleId }) =>
      call(smsCampaigns.createCampaigns, { exchangeId, accountId, now: NOW }, [{ ...smsCampaign, titleId }]),
    ),
    ...[true, false].flatMap((later) =>
      [id, own].map((titleId) =>
        call(smsCampaigns.writeMessages, { ...into(them, titleId, later), exchangeId, accountId: own }, oneMessage),
      ),
    ),
    call(carriers.createCarrier, secrets, exchangeId, { name: "tasiyici", kind: "sandbox", password: "ours" }),
    call(carriers.listCarriers, exchangeId),
    ...["tasiyici", them.carrier].map((name) => call(carriers.removeCarrier, exchangeId, name)),
    call(carriers.setTariff, exchangeId, "49", 9),
    call(carriers.listTariffs, exchangeId),
    ...["once", "another"].map((onceKey) =>
      call(inbound.writeInbound, {
        receivedAt: NOW,
        network: "",
        sourceAddr: "1",
        destinationAddr: "4609",
        keyword: "",
        content: "ours",
        onceKey,
        now: NOW,
        exchangeId,
      }),
    ),
    call(inbound.listInbound, exchangeId, { from: undefined, to: undefined, greaterThan: 0, limit: 100 }),
    call(inbound.inboundOf, exchangeId, [id]),
    call(searchInbound, exchangeId, { ...PAGE, ...span, about: "GEHEIM" }),
    call(searchInbound, exchangeId, { ...PAGE, ...span, about: "" }),
    ...["", "BASLIK", title].map((name) => call(searchCampaigns, exchangeId, { ...PAGE, ...span, title: name })),
    call(recentCampaigns, exchangeId, 100),
    ...["BASLIK", title].map((name) => call(titles.createTitle, exchangeId, { name })),
    call(titles.listTitles, exchangeId),
    call(ready.listReadyTexts, exchangeId),
    call(ready.setReadyText, exchangeId, { name: "Hosgeldiniz", text: "ours" }),
    call(ready.deleteReadyText, exchangeId, "Hosgeldiniz"),
    call(titles.titleOfBrand, exchangeId, them.brandCode),
    call(titles.titlesAnsweringTo, exchangeId, "4609"),
    call(days.setSpecialDays, { exchangeId, accountId: id, titleId: own }),
    call(days.setSpecialDays, { exchangeId, accountId: own, titleId: id }),
    call(days.planDay, { exchangeId, day: "2031-03-21", anniversaries: ["03-21"], monthDays: [21] }),
  ];
}

const smsCampaign = {
  customId: undefined,
  sendAt: NOW,
  later: false,
  validMinutes: 60,
  commercial: false,
};

const oneMessage = {
  campaigns: [0],
  customIds: [null],
  dests: ["905320007766"],
  texts: ["ours"],
  codings: [0],
  sizes: [1],
  multipliers: [1],
  commercialTypes: [null],
  lackingOptOut: [false],
};

function into({ id }: Furnished, titleId: number, later: boolean) {
  return { now: NOW, campaigns: [{ id, titleId, later, sentOn: "2031-01-01", expiresAt: FAR }] };
}

function consentCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { id, brandCode } = them;
  const person = { type: "MESAJ", recipientType: "BIREYSEL" };
  const consent = { ...person, source: "HS_WEB", status: "RET" as const, recipient: "905320007766", consentedAt: NOW };
  const of = { titleId: id, campaignId: id, now: NOW, exchangeId };
  return [
    call(consentCampaigns.listConsentCampaigns, exchangeId, { ...ROWS, source: undefined }),
    call(consentCampaigns.readConsentCampaign, exchangeId, id, ROWS),
    call(consentCampaigns.reportDay, {
      title: { titleId: id, exchangeId, name: "ours", timeZone: "UTC" },
      day: "2031-01-01",
      until: FAR,
      now: NOW,
    }),
    call(consentCampaigns.consentPushUrls, exchangeId),
    call(consents.consentedRecipients, { ...person, brandCode, exchangeId }, ["905320007766"]),
    call(consents.createConsentCampaign, { exchangeId, titleId: id, source: "api", now: NOW }, [consent]),
    call(consents.writeRecords, of, [consent]),
    call(consents.knownConsents, exchangeId, brandCode, ["905320007766"]),
    call(consents.writeLedger, { exchangeId, brandCode, now: NOW }, [consent]),
  ];
}
