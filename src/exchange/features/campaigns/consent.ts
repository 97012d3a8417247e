// Who may be called for selling, asked of the consent ledger when the call is about to leave, and how a person says no.

import { blockNumber } from "../../../store/blocked-numbers.ts";
import { consentedRecipients, writeLedger, writeRecords } from "../../../store/consents.ts";
import type { Db } from "../../../store/db.ts";
import { listTitles } from "../../../store/sms-titles.ts";
import type { Campaign } from "./campaign.ts";

const CALLS = "ARAMA";
const BY_TELEPHONE = "HS_CAGRI_MERKEZI";

export async function mayCall(db: Db, campaign: Campaign, number: string): Promise<boolean> {
  const { exchangeId, isCommercial, recipientType, brandCode } = campaign;
  if (!isCommercial) return true;
  if (recipientType === null || brandCode === null) return false;
  const key = { exchangeId, brandCode, type: CALLS, recipientType };
  return (await consentedRecipients(db, key, [number])).has(number);
}

/**
 * No more calls: the ledger says so for the campaign's brand, or for every brand of the exchange when it sold nothing.
 * An exchange without a brand has no ledger to write to, so that it may not dial the number at all.
 */
async function withdraw(db: Db, { exchangeId, recipientType, brandCode, number, nowMs }: Withdrawal): Promise<void> {
  const now = new Date(nowMs);
  await db.transaction(async (db) => {
    const titles = (await listTitles(db, exchangeId)).filter(({ iysBrandCode }) =>
      brandCode === null ? iysBrandCode !== null : iysBrandCode === brandCode,
    );
    if (titles.length === 0) await blockNumber(db, { exchangeId, number, direction: "outbound" });
    const types = recipientType === null ? (["BIREYSEL", "TACIR"] as const) : [recipientType];
    const withdrawn = types.map((recipientType) => ({
      type: CALLS,
      source: BY_TELEPHONE,
      status: "RET" as const,
      recipientType,
      recipient: number,
      consentedAt: now,
    }));
    for (const { id: titleId, iysBrandCode } of titles) {
      if (iysBrandCode === null) continue;
      await writeLedger(db, { exchangeId, brandCode: iysBrandCode, now }, withdrawn);
      await writeRecords(db, { exchangeId, titleId, campaignId: null, now }, withdrawn);
    }
  });
}

export type Withdrawal = Pick<Campaign, "exchangeId" | "recipientType" | "brandCode"> & {
  number: string;
  nowMs: number;
};

/** Who was told that he is called no more is not, though the database was away when he said so. */
export const consentErrands = { "calls.withdraw": withdraw };
