// The audit trail: who did what to which exchange. Never holds a password or a key.

import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

export type AuditLine = { at: Date; who: string; did: string; details: Record<string, unknown> };

export async function writeAuditLine(
  db: Db,
  line: { exchangeId?: number | undefined; who: string; did: string; details?: Record<string, unknown> },
): Promise<void> {
  const { exchangeId, who, did, details = {} } = line;
  await db.query(sql`insert into audit_lines (exchange_id, who, did, details) values ($1, $2, $3, $4)`, [
    exchangeId ?? null,
    who,
    did,
    details,
  ]);
}

export function listAuditLines(db: Db, exchangeId: number, { limit = 100 } = {}): Promise<AuditLine[]> {
  return db.query<AuditLine>(
    sql`select at, who, did, details from audit_lines where exchange_id = $1 order by at desc, id desc limit $2`,
    [exchangeId, limit],
  );
}

/** `about` is looked for in who, what and the details. */
export async function searchAuditLines(
  db: Db,
  exchangeId: number,
  { about, ...page }: Page & { about: string },
): Promise<Paged<AuditLine & { id: number }>> {
  const source = sql`from audit_lines where exchange_id = $1
    and ($2 = '' or position(lower($2) in lower(who || ' ' || did || ' ' || details::text)) > 0)`;
  const rows = await db.query<AuditLine & { id: number }>(
    sql`select id, at, who, did, details ${source} order by at desc, id desc limit $3 offset $4`,
    [exchangeId, about, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, [exchangeId, about]);
  return { rows, total: count!.total }; // a count always has a row
}
