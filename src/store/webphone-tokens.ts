// Tokens that open the web phone of one extension for a day. As with keys, only their hash is kept.

import { createHash, randomUUID } from "node:crypto";
import type { Db } from "./db.ts";

const TOKEN_LIFE_MS = 24 * 60 * 60_000;

export type TokenRefusal = { refused: "no-extension" } | { refused: "no-staff" };

export async function issueWebphoneToken(
  db: Db,
  { exchangeId, extension, now }: { exchangeId: number; extension: string; now: number },
): Promise<string | TokenRefusal> {
  const [user] = await db.query<{ extensionId: number; staffId: number | null }>(
    `select e.id as "extensionId", min(s.id) as "staffId"
     from extensions e left join staff s on s.exchange_id = e.exchange_id and s.extension_id = e.id and s.active
     where e.exchange_id = $1 and e.number = $2 and e.active group by e.id`,
    [exchangeId, extension],
  );
  if (!user) return { refused: "no-extension" };
  if (user.staffId === null) return { refused: "no-staff" };
  const token = `W${randomUUID()}`;
  // Each new token clears away a few that have expired, so that nobody has to sweep after them.
  await db.query(
    `with expired as (
       delete from webphone_tokens
       where token_hash in (select token_hash from webphone_tokens where expires_at <= $6 limit 10)
     )
     insert into webphone_tokens (token_hash, exchange_id, extension_id, staff_id, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [hashOf(token), exchangeId, user.extensionId, user.staffId, new Date(now + TOKEN_LIFE_MS), new Date(now)],
  );
  return token;
}

export type WebphoneUser = { exchangeId: number; extension: string; staffId: number };

export async function userOfWebphoneToken(db: Db, token: string, now: number): Promise<WebphoneUser | undefined> {
  const [row] = await db.query<WebphoneUser>(
    `select t.exchange_id as "exchangeId", e.number as extension, t.staff_id as "staffId"
     from webphone_tokens t join extensions e on e.id = t.extension_id and e.active
       join staff s on s.id = t.staff_id and s.active
     where t.token_hash = $1 and t.expires_at > $2`,
    [hashOf(token), new Date(now)],
  );
  return row;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
