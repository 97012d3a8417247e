// Tokens that open the web phone of one extension for a day. As with keys, only their hash is kept.

import { createHash, randomUUID } from "node:crypto";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

const TOKEN_LIFE_MS = 24 * 60 * 60_000;

/** Says `exchange extension` whenever that extension's tokens were taken back. */
export const REVOKED_CHANNEL = "webphone_revoked";

export type TokenRefusal = { refused: "no-extension" } | { refused: "no-staff" };

export async function issueWebphoneToken(
  db: Db,
  { exchangeId, extension, now }: { exchangeId: number; extension: string; now: number },
): Promise<string | TokenRefusal> {
  const [user] = await db.query<{ extensionId: number; staffId: number | null }>(
    sql`select e.id as "extensionId", min(s.id) as "staffId"
     from extensions e left join staff s on s.exchange_id = e.exchange_id and s.extension_id = e.id and s.active
     where e.exchange_id = $1 and e.number = $2 and e.active group by e.id`,
    [exchangeId, extension],
  );
  if (!user) return { refused: "no-extension" };
  if (user.staffId === null) return { refused: "no-staff" };
  const token = `W${randomUUID()}`;
  // Each new token clears away a few that have expired, so that nobody has to sweep after them.
  await db.query(
    sql`with expired as (
       delete from webphone_tokens
       where token_hash in (select token_hash from webphone_tokens where expires_at <= $6 limit 10)
     )
     insert into webphone_tokens (token_hash, exchange_id, extension_id, staff_id, expires_at, issued_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [hashOf(token), exchangeId, user.extensionId, user.staffId, new Date(now + TOKEN_LIFE_MS), new Date(now)],
  );
  return token;
}

export type WebphoneUser = {
  exchangeId: number;
  exchangeName: string;
  timeZone: string;
  sipDomain: string;
  extension: string;
  name: string;
  staffId: number;
  dnd: boolean;
  outboundCallerId: string | null;
  /** Pages that may show the phone and give it orders. */
  origins: string[];
  expiresAt: Date;
};

const opened = sql`from webphone_tokens t join extensions e on e.id = t.extension_id and e.active
  join staff s on s.id = t.staff_id and s.active join exchanges x on x.id = t.exchange_id
  where t.token_hash = $1 and t.expires_at > $2`;

export async function userOfWebphoneToken(db: Db, token: string, now: number): Promise<WebphoneUser | undefined> {
  const [row] = await db.query<WebphoneUser>(
    sql`select t.exchange_id as "exchangeId", x.name as "exchangeName", x.time_zone as "timeZone", x.sip_domain as "sipDomain",
       e.number as extension, e.name, t.staff_id as "staffId", e.dnd, e.outbound_caller_id as "outboundCallerId",
       x.webphone_origins as origins, t.expires_at as "expiresAt" ${opened}`,
    [hashOf(token), new Date(now)],
  );
  return row;
}

/** What a page is called in its own address, once it has taken the token out of there: it opens nothing but the page. */
export function pageOfToken(token: string): string {
  return hashOf(token).toString("hex");
}

/** The origins that may hold this page in a frame; undefined when its token is not or no longer good. */
export async function originsOfPage(db: Db, page: string, now: number): Promise<string[] | undefined> {
  const [row] = await db.query<{ origins: string[] }>(sql`select x.webphone_origins as origins ${opened}`, [
    Buffer.from(page, "hex"),
    new Date(now),
  ]);
  return row?.origins;
}

/** Takes back the tokens of somebody who is no longer to have that phone. */
export async function revokeTokensOfStaff(db: Db, staffId: number): Promise<void> {
  await db.query(
    sql`with gone as (
       delete from webphone_tokens using extensions e
       where e.id = webphone_tokens.extension_id and staff_id = $1 returning e.exchange_id, e.number
     )
     select pg_notify($2, exchange_id || ' ' || number) from (select distinct exchange_id, number from gone) phones`,
    [staffId, REVOKED_CHANNEL],
  );
}

/** Takes back every token of an extension; how many there were. */
export async function revokeWebphoneTokens(
  db: Db,
  { exchangeId, extension }: { exchangeId: number; extension: string },
): Promise<number> {
  const gone = await db.query(
    sql`with gone as (
       delete from webphone_tokens using extensions e
       where e.id = extension_id and e.exchange_id = $1 and e.number = $2 returning token_hash
     )
     select pg_notify($3, $1 || ' ' || $2) from gone`,
    [exchangeId, extension, REVOKED_CHANNEL],
  );
  return gone.length;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
