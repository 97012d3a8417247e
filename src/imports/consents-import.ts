// Rows as consents, handed to the registry when the last row was read.

import { type Consent, readConsent } from "../sms/consent.ts";
import { chooseTitle } from "../sms/order.ts";
import { openConsentCampaign, writeRecords } from "../store/consents.ts";
import { listSmsAccounts } from "../store/sms-accounts.ts";
import { listTitles } from "../store/sms-titles.ts";
import { plainDate } from "./dates.ts";
import {
  type Cells,
  fault,
  type Importing,
  type ImportParts,
  type ImportRefusal,
  type ImportSettings,
} from "./importing.ts";

export async function importConsents(
  { db, clock, exchangeId }: ImportParts,
  settings: ImportSettings,
): Promise<Importing<Consent> | ImportRefusal> {
  const [account] = await listSmsAccounts(db, exchangeId);
  if (!account) return { refused: "no-sms-account" };
  const title = chooseTitle(settings.title, await listTitles(db, exchangeId));
  if ("refused" in title) return { refused: "sms", code: title.refused };
  if (title.iysBrandCode === null) return { refused: "sms", code: "MISSING_IYS_BRAND_CODE" };
  return {
    read(cells) {
      const recipient = cells.get("recipient");
      if (recipient === "") return fault("no-phone");
      const consent = readConsent(writtenIn(cells, settings), clock.wall(), account.timeZone);
      if ("refused" in consent) return fault(consent.refused, recipient);
      const { type, recipientType } = consent;
      const shown = [consent.recipient, type, consent.status, consent.source];
      return { item: consent, key: `${type} ${recipientType} ${consent.recipient}`, shown };
    },
    async write(db, consents, madeId) {
      const now = new Date(clock.wall());
      const campaign = { exchangeId, titleId: title.id, source: "csv", now };
      const campaignId = madeId ?? (await openConsentCampaign(db, campaign));
      await writeRecords(db, { ...campaign, campaignId }, consents);
      return { madeId: campaignId, left: new Map() };
    },
  };
}

/** What the row does not say goes for the whole file. */
function writtenIn(cells: Cells, settings: ImportSettings) {
  const said = (field: "type" | "status" | "recipientType" | "source") => cells.get(field) || settings[field] || "";
  const date = cells.get("date") || settings.date || "";
  return {
    type: said("type"),
    status: said("status"),
    recipientType: said("recipientType"),
    source: said("source"),
    recipient: cells.get("recipient"),
    ...(date !== "" && { date: plainDate(date) }),
  };
}
