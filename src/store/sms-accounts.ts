// SMS accounts: who may send, from which addresses, with how many credits. The password is shown once and kept as a hash.

import { createHash, randomBytes } from "node:crypto";
import type { Changes, ValueOf } from "../nouns/field.ts";
import { smsAccount } from "../nouns/sms-account.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { sql } from "./sql.ts";
import { updateOwn } from "./update.ts";

export type RegistryStanding = ValueOf<typeof smsAccount.fields.registryStanding>;

export type SmsAccount = {
  id: number;
  exchangeId: number;
  username: string;
  credits: number;
  reserved: number;
  international: boolean;
  allowedAddresses: string[];
  pushUrl: string | null;
  consentPushUrl: string | null;
  bannedWords: string[];
  refuseRepeats: boolean;
  registryStanding: RegistryStanding;
  lowCredits: number | null;
  lowCreditsPhone: string | null;
  optOutMissing: ValueOf<typeof smsAccount.fields.optOutMissing>;
  timeZone: string;
};

const columns = sql`a.id, a.exchange_id as "exchangeId", a.username, a.credits, a.reserved, a.international,
  a.allowed_addresses::text[] as "allowedAddresses", a.push_url as "pushUrl", a.consent_push_url as "consentPushUrl",
  a.banned_words as "bannedWords", a.refuse_repeats as "refuseRepeats", a.registry_standing as "registryStanding",
  a.opt_out_missing as "optOutMissing", a.low_credits as "lowCredits", a.low_credits_phone as "lowCreditsPhone",
  e.time_zone as "timeZone"`;

export type NewSmsAccount = {
  username: string;
  allowedAddresses?: readonly string[];
  international?: boolean;
  /** Random and long, since it is kept as a plain hash; by default one is made. */
  password?: string;
};

export async function createSmsAccount(
  db: Db,
  exchangeId: number,
  { username, allowedAddresses = [], international = false, password = newSmsPassword() }: NewSmsAccount,
): Promise<{ id: number; username: string; password: string } | SetupRefusal> {
  return unlessTaken(db, { refused: "name-taken", what: "SMS user name", name: username }, async (db) => {
    const [row] = await db.query<{ id: number }>(
      sql`insert into sms_accounts (exchange_id, username, password_hash, allowed_addresses, international)
       values ($1, $2, $3, $4::cidr[], $5) returning id`,
      [exchangeId, username, hashOf(password), allowedAddresses, international],
    );
    return { id: row!.id, username, password }; // an insert without a condition returns its row
  });
}

/** The old password is dead with the commit. */
export async function renewSmsPassword(db: Db, exchangeId: number, username: string): Promise<string | undefined> {
  const password = newSmsPassword();
  const renewed = await db.query(
    sql`update sms_accounts set password_hash = $3 where exchange_id = $1 and username = $2 returning id`,
    [exchangeId, username, hashOf(password)],
  );
  return renewed.length > 0 ? password : undefined;
}

export type Login = { username: string; password: string };

/** Who each of them is, in their order. */
export async function logIn(db: Db, logins: readonly Login[]): Promise<(SmsAccount | undefined)[]> {
  const rows = await db.query<SmsAccount & { place: number }>(
    sql`select l.place::int as place, ${columns}
     from unnest($1::text[], $2::bytea[]) with ordinality as l (username, password_hash, place)
     join sms_accounts a on a.username = l.username and a.password_hash = l.password_hash and a.active
     join exchanges e on e.id = a.exchange_id`,
    [logins.map(({ username }) => username), logins.map(({ password }) => hashOf(password))],
  );
  const accounts = new Map(rows.map(({ place, ...account }) => [place - 1, account]));
  return logins.map((_, place) => accounts.get(place));
}

export function listSmsAccounts(db: Db, exchangeId: number): Promise<SmsAccount[]> {
  return db.query<SmsAccount>(
    sql`select ${columns} from sms_accounts a join exchanges e on e.id = a.exchange_id where a.exchange_id = $1 order by a.id`,
    [exchangeId],
  );
}

export async function findSmsAccount(db: Db, exchangeId: number, username: string): Promise<SmsAccount | undefined> {
  return (await listSmsAccounts(db, exchangeId)).find((account) => account.username === username);
}

export type SmsSettings = Changes<typeof smsAccount>;

export async function updateSmsAccount(db: Db, exchangeId: number, id: number, changes: SmsSettings): Promise<void> {
  await updateOwn(db, smsAccount, { exchangeId, which: id, changes });
}

export type CreditsAdded = { exchangeId: number; accountId: number; credits: number; at: Date };

export async function addCredits(db: Db, { exchangeId, accountId, credits, at }: CreditsAdded): Promise<void> {
  await db.query(
    sql`with topped as (update sms_accounts set credits = credits + $3 where exchange_id = $1 and id = $2 returning id)
     insert into sms_credit_moves (exchange_id, account_id, at, credits, why) select $1, id, $4, $3, 'bought' from topped`,
    [exchangeId, accountId, credits, at],
  );
}

export type Reserved = {
  exchangeId: number;
  accountId: number;
  at: Date;
  campaigns: readonly { campaignId: number; credits: number }[];
};

/** Sets credits aside for campaigns, unless there are too few: the row is locked, so two requests cannot both have the last. */
export async function reserveCredits(db: Db, { exchangeId, accountId, at, campaigns }: Reserved): Promise<boolean> {
  const charged = campaigns.filter(({ credits }) => credits > 0);
  if (charged.length === 0) return true;
  const reserved = await db.query(
    sql`with taken as (
       update sms_accounts set credits = credits - $3, reserved = reserved + $3
       where exchange_id = $1 and id = $2 and credits >= $3 returning id)
     insert into sms_credit_moves (exchange_id, account_id, at, credits, why, campaign_id)
     select $1, t.id, $4, -c.credits, 'reserved', c.campaign_id
     from taken t, unnest($5::bigint[], $6::bigint[]) as c (campaign_id, credits) order by c.campaign_id returning id`,
    [
      ...[exchangeId, accountId, charged.reduce((sum, { credits }) => sum + credits, 0), at],
      charged.map(({ campaignId }) => campaignId),
      charged.map(({ credits }) => credits),
    ],
  );
  return reserved.length > 0;
}

export function newSmsPassword(): string {
  return randomBytes(18).toString("base64url");
}

function hashOf(password: string): Buffer {
  return createHash("sha256").update(password).digest();
}
