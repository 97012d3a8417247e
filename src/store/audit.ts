// The audit trail: who did what to which exchange. Never holds a password or a key.

import type { AuditFact, Details, Doer } from "./audit-facts.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

/** As it is read: an older exchange may have written a `did` that is no fact we know. */
export type AuditLine = Doer & { at: Date; did: string; details: Details };
export type NewAuditLine = Doer & AuditFact & { exchangeId?: number | undefined };

export async function writeAuditLine(db: Db, { exchangeId, doer, who, did, details }: NewAuditLine): Promise<void> {
  await db.query(sql`insert into audit_lines (exchange_id, doer, who, did, details) values ($1, $2, $3, $4, $5)`, [
    exchangeId ?? null,
    doer,
    who,
    did,
    details,
  ]);
}

/** Once in a while, however often a player asks for pieces of the same sound. */
export async function noteHeard(
  db: Db,
  heard: { exchangeId: number; who: string; did: "recording-heard" | "message-heard"; call: string },
): Promise<void> {
  const { exchangeId, who, did, call } = heard;
  await db.query(
    sql`insert into audit_lines (exchange_id, doer, who, did, details)
     select $1, 'staff', $2, $3, jsonb_build_object('call', $4::text)
     where not exists (select from audit_lines where exchange_id = $1 and at > now() - interval '10 minutes'
       and who = $2 and did = $3 and details ->> 'call' = $4)`,
    [exchangeId, who, did, call],
  );
}

export function listAuditLines(db: Db, exchangeId: number, { limit = 100 } = {}): Promise<AuditLine[]> {
  return db.query<AuditLine>(
    sql`select at, doer, who, did, details from audit_lines where exchange_id = $1 order by at desc, id desc limit $2`,
    [exchangeId, limit],
  );
}

export type AuditSearch = Page & {
  about: string;
  dids: string[];
  who?: string | undefined;
  /** How the names of what was done begin. */
  begin?: readonly string[] | undefined;
  from?: Date | undefined;
  before?: Date | undefined;
};

/** `about` is looked for in who, what and the details; `dids` are kinds of lines that are about it by their words. */
export async function searchAuditLines(
  db: Db,
  exchangeId: number,
  { about, dids, who, begin, from, before, ...page }: AuditSearch,
): Promise<Paged<AuditLine & { id: number }>> {
  const source = sql`from audit_lines where exchange_id = $1 and ($2 = '' or did = any($3)
    or position(lower($2) in lower(doer || ' ' || who || ' ' || did || ' ' || details::text)) > 0)
    and ($4::text is null or who = $4) and ($5::text[] is null or exists (
      select from unnest($5::text[]) as beginning where starts_with(did, beginning)))
    and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)`;
  const given = [exchangeId, about, dids, who ?? null, begin ?? null, from ?? null, before ?? null];
  const rows = await db.query<AuditLine & { id: number }>(
    sql`select id, at, doer, who, did, details ${source} order by at desc, id desc limit $8 offset $9`,
    [...given, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, given);
  return { rows, total: count!.total }; // a count always has a row
}
