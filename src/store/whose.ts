// Whose a request is, before anybody looks whether it may be made: which exchange the thing that opens a door belongs to.

import { createHash } from "node:crypto";
import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";

/** What a request can show: a key, a ticket, a token or a page of a web phone, a session, the link of a board, a name. */
export type Shown =
  | { by: "key" | "ticket" | "token" | "session" | "wall"; secret: string }
  | { by: "page"; hash: string }
  | { by: "email" | "account" | "domain"; name: string }
  | { by: "exchange"; id: number };

const statements: { [By in Shown["by"]]: Sql } = {
  key: sql`select exchange_id as id from api_keys where key_hash = $1 and revoked_at is null`,
  ticket: sql`select exchange_id as id from tickets where ticket_hash = $1`,
  token: sql`select exchange_id as id from webphone_tokens where token_hash = $1`,
  wall: sql`select exchange_id as id from wall_boards where token_hash = $1`,
  page: sql`select exchange_id as id from webphone_tokens where token_hash = $1`,
  session: sql`select exchange_id as id from staff_sessions join staff on staff.id = staff_id where token_hash = $1`,
  email: sql`select exchange_id as id from staff where email = lower($1)`,
  // On a server with one exchange nobody has to say which.
  domain: sql`select id from exchanges where sip_domain = lower($1) or ($1 = '' and (select count(*) from exchanges) = 1)`,
  exchange: sql`select id from exchanges where id = $1`,
  account: sql`select exchange_id as id from sms_accounts where username = $1`,
};

/** Undefined: nobody's, as far as one can see. */
export async function whoseIs(db: Db, shown: Shown): Promise<number | undefined> {
  const [row] = await db.query<{ id: number }>(statements[shown.by], [valueIn(shown)]);
  return row?.id;
}

function valueIn(shown: Shown): Buffer | string | number {
  if ("id" in shown) return shown.id;
  if ("secret" in shown) return createHash("sha256").update(shown.secret).digest();
  return "hash" in shown ? Buffer.from(shown.hash, "hex") : shown.name;
}
