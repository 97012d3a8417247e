// The consent ledger, one for messages and calls: who allowed which brand to write or ring, and when they last said so.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type LedgerKey = { exchangeId: number; brandCode: number; type: string; recipientType: string };

/** Of these recipients, the ones who consented and did not withdraw. */
export async function consentedRecipients(
  db: Db,
  { exchangeId, brandCode, type, recipientType }: LedgerKey,
  recipients: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ recipient: string }>(
    sql`select recipient from consents where exchange_id = $1 and brand_code = $2 and type = $3 and recipient_type = $4
       and recipient = any($5) and status = 'ONAY'`,
    [exchangeId, brandCode, type, recipientType, recipients],
  );
  return new Set(rows.map(({ recipient }) => recipient));
}

export type StoredConsent = {
  type: string;
  source: string;
  status: "ONAY" | "RET";
  recipientType: string;
  recipient: string;
  consentedAt: Date;
};

export type ConsentRecord = StoredConsent & { id: number; taken: boolean | null; error: string | null };

const recordColumns = sql`id, type, source, status, recipient_type as "recipientType", recipient,
  consented_at as "consentedAt", taken, error`;

export type NewConsentCampaign = { exchangeId: number; titleId: number; source: string; now: Date };

/** A statement of more takes long to put together. */
const WRITTEN_AT_ONCE = 1_000;

export async function createConsentCampaign(
  db: Db,
  { exchangeId, titleId, source, now }: NewConsentCampaign,
  consents: readonly StoredConsent[],
): Promise<number> {
  return db.transaction(async (db) => {
    const [row] = await db.query<{ id: number }>(
      sql`insert into consent_campaigns (exchange_id, title_id, source, created_at) values ($1, $2, $3, $4) returning id`,
      [exchangeId, titleId, source, now],
    );
    const { id } = row!; // an insert without a condition returns its row
    for (let at = 0; at < consents.length; at += WRITTEN_AT_ONCE) {
      const some = consents.slice(at, at + WRITTEN_AT_ONCE);
      await writeRecords(db, { exchangeId, titleId, campaignId: id, now }, some);
    }
    return id;
  });
}

/** One that takes records until it is released; the registry hears nothing of them before. */
export async function openConsentCampaign(
  db: Db,
  { exchangeId, titleId, source, now }: NewConsentCampaign,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into consent_campaigns (exchange_id, title_id, source, created_at, finished)
     values ($1, $2, $3, $4, true) returning id`,
    [exchangeId, titleId, source, now],
  );
  return row!.id; // an insert without a condition returns its row
}

export async function releaseConsentCampaign(db: Db, exchangeId: number, id: number): Promise<void> {
  await db.query(sql`update consent_campaigns set finished = false where exchange_id = $1 and id = $2`, [
    exchangeId,
    id,
  ]);
}

type RecordsOf = { exchangeId: number; titleId: number; campaignId: number | null; now: Date };

/** A recipient's own change belongs to no campaign until the morning's report. */
export async function writeRecords(db: Db, of: RecordsOf, consents: readonly StoredConsent[]): Promise<void> {
  await db.query(
    sql`insert into consent_records (exchange_id, title_id, campaign_id, type, source, status, recipient_type, recipient,
       consented_at, created_at, taken)
     select $1, $2, $3, g.*, $4, case when $3::bigint is null then true end
     from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[]) as g`,
    [
      ...[of.exchangeId, of.titleId, of.campaignId, of.now],
      ...(["type", "source", "status", "recipientType", "recipient", "consentedAt"] as const).map((field) =>
        consents.map((consent) => consent[field]),
      ),
    ],
  );
}

export type OpenCampaign = { id: number; exchangeId: number; titleId: number; brandCode: number | null };

export function unfinishedConsentCampaigns(db: Db): Promise<OpenCampaign[]> {
  return db.query<OpenCampaign>(
    sql`select c.id, c.exchange_id as "exchangeId", c.title_id as "titleId", t.iys_brand_code as "brandCode"
     from consent_campaigns c join sms_titles t on t.id = c.title_id where not c.finished order by c.id limit 20`,
  );
}

export async function finishConsentCampaign(db: Db, id: number): Promise<void> {
  await db.query(sql`update consent_campaigns set finished = true where id = $1`, [id]);
}

export function untoldRecords(db: Db, campaignId: number, most: number): Promise<ConsentRecord[]> {
  return db.query<ConsentRecord>(
    sql`select ${recordColumns} from consent_records where campaign_id = $1 and taken is null order by id limit $2`,
    [campaignId, most],
  );
}

/** What the ledger says today of each of these, by type, recipient type and recipient. */
export async function knownConsents(
  db: Db,
  exchangeId: number,
  brandCode: number,
  recipients: readonly string[],
): Promise<Map<string, "ONAY" | "RET">> {
  const rows = await db.query<StoredConsent>(
    sql`select type, recipient_type as "recipientType", recipient, status from consents
     where exchange_id = $1 and brand_code = $2 and recipient = any($3)`,
    [exchangeId, brandCode, recipients],
  );
  return new Map(rows.map((row) => [ledgerKey(row), row.status]));
}

export function ledgerKey(consent: Pick<StoredConsent, "type" | "recipientType" | "recipient">): string {
  return `${consent.type} ${consent.recipientType} ${consent.recipient}`;
}

export async function noteOutcomes(
  db: Db,
  outcomes: readonly { id: number; error: string | undefined }[],
): Promise<void> {
  await db.query(
    sql`update consent_records r set taken = o.error is null, error = o.error
     from unnest($1::bigint[], $2::text[]) as o (id, error) where r.id = o.id`,
    [outcomes.map(({ id }) => id), outcomes.map(({ error }) => error ?? null)],
  );
}

/** The later word counts; of one moment the later written. */
export async function writeLedger(
  db: Db,
  { exchangeId, brandCode, now }: { exchangeId: number; brandCode: number; now: Date },
  consents: readonly StoredConsent[],
): Promise<void> {
  const last = [...new Map(consents.map((consent) => [ledgerKey(consent), consent])).values()];
  await db.query(
    sql`insert into consents (exchange_id, brand_code, type, source, status, recipient_type, recipient, consented_at, recorded_at)
     select $1, $2, g.*, $3 from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[]) as g
     on conflict (exchange_id, brand_code, type, recipient_type, recipient) do update
       set status = excluded.status, source = excluded.source, consented_at = excluded.consented_at,
         recorded_at = excluded.recorded_at
       where consents.consented_at <= excluded.consented_at`,
    [
      ...[exchangeId, brandCode, now],
      ...(["type", "source", "status", "recipientType", "recipient", "consentedAt"] as const).map((field) =>
        last.map((consent) => consent[field]),
      ),
    ],
  );
}
