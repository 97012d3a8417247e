// Handed-in consents go to the registry and, where it takes them, into the ledger; each morning the day before is reported.

import type { Clock } from "../clock.ts";
import { openTurns } from "../in-turns.ts";
import {
  consentPushUrls,
  type DayReport,
  reportDay,
  type TitleWithChanges,
  titlesWithChanges,
} from "../store/consent-campaigns.ts";
import {
  createConsentCampaign,
  finishConsentCampaign,
  knownConsents,
  ledgerKey,
  noteOutcomes,
  type OpenCampaign,
  unfinishedConsentCampaigns,
  untoldRecords,
  writeLedger,
} from "../store/consents.ts";
import type { Db } from "../store/db.ts";
import type { SmsAccount } from "../store/sms-accounts.ts";
import { listTitles, titleOfBrand } from "../store/sms-titles.ts";
import { type Consent, type ConsentRefusal, type Judged, readConsent, type WrittenConsent } from "./consent.ts";
import { chooseTitle, type SendRefusal } from "./order.ts";
import { enqueuePush } from "./push.ts";
import type { ConsentRegistry } from "./registry.ts";
import { plainDay } from "./stamp.ts";
import { instantOf, wallClock } from "./timing.ts";

export type Upload = {
  source?: string | undefined;
  brandCode?: string | undefined;
  consents: readonly WrittenConsent[];
};

export const MOST_CONSENTS = 50_000;
/** Others have their turn after so many: what time it is somewhere is slow to ask. */
const READ_AT_ONCE = 50;

/** The first fault refuses the whole upload, as with messages; what the registry thinks of each is told later. */
export async function uploadConsents(
  db: Db,
  clock: Clock,
  account: SmsAccount,
  { source, brandCode, consents }: Upload,
): Promise<{ campaignId: number } | SendRefusal | ConsentRefusal> {
  if (consents.length === 0) return { refused: "MISSING_CONSENT" };
  if (consents.length > MOST_CONSENTS) return { refused: "MESSAGE_COUNT_LIMIT_EXCEEDED" };
  const title = await titleFor(db, account, { source, brandCode });
  if ("refused" in title) return title;
  if (title.iysBrandCode === null) return { refused: "MISSING_IYS_BRAND_CODE" };
  const read: Consent[] = [];
  const turns = openTurns(READ_AT_ONCE);
  for (const written of consents) {
    const others = turns();
    if (others) await others;
    const consent = readConsent(written, clock.wall(), account.timeZone);
    if ("refused" in consent) return consent;
    read.push(consent);
  }
  const campaign = { exchangeId: account.exchangeId, titleId: title.id, source: "api", now: new Date(clock.wall()) };
  return { campaignId: await createConsentCampaign(db, campaign, read) };
}

async function titleFor(db: Db, { exchangeId }: SmsAccount, { source, brandCode }: Omit<Upload, "consents">) {
  const ofBrand =
    !source && /^\d{1,9}$/.test(brandCode ?? "") && (await titleOfBrand(db, exchangeId, Number(brandCode)));
  return ofBrand || chooseTitle(source, await listTitles(db, exchangeId));
}

const AT_ONCE = 1_000;

/** Brings every open upload to the registry. What was judged is written with its judgement, so a crash repeats nothing. */
export async function submitConsents(db: Db, clock: Clock, registry: ConsentRegistry): Promise<void> {
  for (const campaign of await unfinishedConsentCampaigns(db))
    while (await submitSome(db, clock, registry, campaign)) {}
}

async function submitSome(db: Db, clock: Clock, registry: ConsentRegistry, campaign: OpenCampaign): Promise<boolean> {
  const { id, exchangeId, brandCode } = campaign;
  const records = await untoldRecords(db, id, AT_ONCE);
  if (records.length === 0 || brandCode === null) {
    await finishConsentCampaign(db, id);
    return false;
  }
  const known = await knownConsents(
    db,
    exchangeId,
    brandCode,
    records.map(({ recipient }) => recipient),
  );
  const submitted = records.map((record) => ({ consent: record as Consent, known: known.get(ledgerKey(record)) }));
  const judged = await registry.submit({ iysCode: null, brandCode }, submitted);
  await db.transaction(async (db) => {
    await noteOutcomes(
      db,
      records.map(({ id }, place) => ({ id, error: errorOf(judged[place]) })),
    );
    const taken = records.filter((_, place) => judged[place]?.taken);
    if (taken.length > 0) await writeLedger(db, { exchangeId, brandCode, now: new Date(clock.wall()) }, taken);
  });
  return true;
}

function errorOf(judged: Judged | undefined): string | undefined {
  if (judged === undefined) return "no answer";
  return judged.taken ? undefined : judged.error;
}

const REPORT_HOUR = 7;
const DAY_MS = 86_400_000;

/** From seven in the morning of the exchange's clock on, once a title and day. */
export async function reportYesterday(db: Db, clock: Clock): Promise<void> {
  const now = clock.wall();
  for (const title of await titlesWithChanges(db)) {
    const wall = wallClock(now, title.timeZone);
    if (wall.getUTCHours() < REPORT_HOUR) continue;
    const midnight = instantOf(Math.floor(wall.getTime() / DAY_MS) * DAY_MS, title.timeZone);
    const day = plainDay(new Date(midnight - DAY_MS / 2), title.timeZone);
    await tellDay(db, { title, day, until: new Date(midnight), now: new Date(now) });
  }
}

async function tellDay(db: Db, report: DayReport & { title: TitleWithChanges }): Promise<void> {
  await db.transaction(async (db) => {
    const campaignId = await reportDay(db, report);
    if (campaignId === undefined) return;
    const content = { iys_campaign_id: campaignId, report_date: report.day, source_addr: report.title.name };
    const { exchangeId } = report.title;
    for (const { accountId, url } of await consentPushUrls(db, exchangeId))
      await enqueuePush(db, url, content, { exchangeId, accountId });
  });
}
