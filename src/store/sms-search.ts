// Messages as people look through them: in pages, the newest first, by text, number, title, time or what became of them.

import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import type { Inbound } from "./sms-inbound.ts";
import type { MessageState } from "./sms-state.ts";
import type { CampaignSummary } from "./sms-status.ts";
import { place, type Sql, sql } from "./sql.ts";

/** Both ends may be open; the later one is outside. */
export type Span = { from: Date | undefined; before: Date | undefined };

/** `about` is looked for in the text and in both numbers. */
export function searchInbound(
  db: Db,
  exchangeId: number,
  { about, from, before, ...page }: Page & Span & { about: string },
): Promise<Paged<Inbound>> {
  const source = sql`from sms_inbound where exchange_id = $1
    and ($2::timestamptz is null or created_at >= $2) and ($3::timestamptz is null or created_at < $3)
    and ($4 = '' or position(lower($4) in lower(source_addr || ' ' || destination_addr || ' ' || content)) > 0)`;
  const columns = sql`id, created_at as "createdAt", received_at as "receivedAt", network, source_addr as "sourceAddr",
    destination_addr as "destinationAddr", keyword, content`;
  return paged(db, page, {
    columns,
    source,
    order: sql`id desc`,
    values: [exchangeId, from ?? null, before ?? null, about],
  });
}

export function searchCampaigns(
  db: Db,
  exchangeId: number,
  { title, from, before, ...page }: Page & Span & { title: string },
): Promise<Paged<CampaignSummary>> {
  const source = sql`from sms_campaigns k join sms_titles t on t.id = k.title_id where k.exchange_id = $1
    and ($2::timestamptz is null or k.send_at >= $2) and ($3::timestamptz is null or k.send_at < $3)
    and ($4 = '' or t.name = $4)`;
  const columns = sql`k.id, k.send_at as "sendAt", k.state, t.name as title, coalesce((select jsonb_object_agg(state, n)
    from (select m.state, count(*) as n from sms_messages m where m.campaign_id = k.id group by m.state) s), '{}') as counts,
    (select count(*) from sms_messages m where m.campaign_id = k.id and m.lacks_opt_out) as "lacksOptOut"`;
  return paged(db, page, {
    columns,
    source,
    order: sql`k.id desc`,
    values: [exchangeId, from ?? null, before ?? null, title],
  });
}

export type SentMessage = {
  id: number;
  dest: string;
  size: number;
  state: MessageState;
  gsmError: number | null;
  doneAt: Date | null;
  lacksOptOut: boolean;
};

/** Of one campaign, which the caller knows to be his. `states` empty: whatever became of them. */
export function searchMessages(
  db: Db,
  campaignId: number,
  { dest, states, ...page }: Page & { dest: string; states: readonly MessageState[] },
): Promise<Paged<SentMessage>> {
  const source = sql`from sms_messages where campaign_id = $1 and ($2 = '' or position($2 in dest) > 0)
    and (cardinality($3::text[]) = 0 or state = any($3))`;
  return paged(db, page, {
    columns: sql`id, dest, size, state, gsm_error as "gsmError", done_at as "doneAt", lacks_opt_out as "lacksOptOut"`,
    source,
    order: sql`id`,
    values: [campaignId, dest, states],
  });
}

type Search = { columns: Sql; source: Sql; order: Sql; values: readonly unknown[] };

async function paged<Row>(db: Db, page: Page, { columns, source, order, values }: Search): Promise<Paged<Row>> {
  const [limit, offset] = [place(values.length + 1), place(values.length + 2)];
  const rows = await db.query<Row>(sql`select ${columns} ${source} order by ${order} limit ${limit} offset ${offset}`, [
    ...values,
    page.limit,
    offsetOf(page),
  ]);
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, values);
  return { rows, total: count!.total }; // a count always has a row
}
