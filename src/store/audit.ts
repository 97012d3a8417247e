// The audit trail: who did what to which exchange. Never holds a password or a key.

import type { Db } from "./db.ts";

export type AuditLine = { at: Date; who: string; did: string; details: Record<string, unknown> };

export async function writeAuditLine(
  db: Db,
  line: { exchangeId?: number | undefined; who: string; did: string; details?: Record<string, unknown> },
): Promise<void> {
  const { exchangeId, who, did, details = {} } = line;
  await db.query("insert into audit_lines (exchange_id, who, did, details) values ($1, $2, $3, $4)", [
    exchangeId ?? null,
    who,
    did,
    details,
  ]);
}

export function listAuditLines(db: Db, exchangeId: number, { limit = 100 } = {}): Promise<AuditLine[]> {
  return db.query<AuditLine>(
    "select at, who, did, details from audit_lines where exchange_id = $1 order by at desc, id desc limit $2",
    [exchangeId, limit],
  );
}
