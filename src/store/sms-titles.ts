// Sender titles: what a recipient sees instead of a number, with the brand code that commercial messages need.

import type { Changes } from "../nouns/field.ts";
import type { smsTitle } from "../nouns/sms-title.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { sql } from "./sql.ts";

export type Title = {
  id: number;
  exchangeId: number;
  name: string;
  iysCode: number | null;
  iysBrandCode: number | null;
  optOutNumber: string | null;
  messagesPerSecond: number | null;
};

const columns = sql`id, exchange_id as "exchangeId", name, iys_code as "iysCode", iys_brand_code as "iysBrandCode",
  opt_out_number as "optOutNumber", messages_per_second as "messagesPerSecond"`;

export type NewTitle = { name: string } & Changes<typeof smsTitle>;

const TITLE_FORM = /^[A-Za-z0-9 *.-]{1,11}$/;

export async function createTitle(db: Db, exchangeId: number, title: NewTitle): Promise<Title | SetupRefusal> {
  const { name, iysCode = null, iysBrandCode = null, optOutNumber = null, messagesPerSecond = null } = title;
  if (!TITLE_FORM.test(name)) return { refused: "bad-title", name };
  return unlessTaken(db, { refused: "name-taken", what: "title", name }, async (db) => {
    const [row] = await db.query<Title>(
      sql`insert into sms_titles
         (exchange_id, name, iys_code, iys_brand_code, opt_out_number, messages_per_second, approved, approved_at)
       values ($1, $2, $3, $4, $5, $6, $7, case when $7 then now() end) returning ${columns}`,
      [exchangeId, name, iysCode, iysBrandCode, optOutNumber, messagesPerSecond, title.approved ?? true],
    );
    return row!; // an insert without a condition returns its row
  });
}

/** In the order they were registered: the first is the one that stands for an empty `source_addr`. */
export function listTitles(db: Db, exchangeId: number): Promise<Title[]> {
  return db.query<Title>(sql`select ${columns} from sms_titles where exchange_id = $1 and approved order by id`, [
    exchangeId,
  ]);
}

export async function titleOfBrand(db: Db, exchangeId: number, brandCode: number): Promise<Title | undefined> {
  const [row] = await db.query<Title>(
    sql`select ${columns} from sms_titles where exchange_id = $1 and approved and iys_brand_code = $2 order by id limit 1`,
    [exchangeId, brandCode],
  );
  return row;
}

/** A short code answers for the titles that name it; without one of them, for every title of the exchange. */
export async function titlesAnsweringTo(db: Db, exchangeId: number, shortCode: string): Promise<Title[]> {
  const titles = await listTitles(db, exchangeId);
  const named = titles.filter(({ optOutNumber }) => optOutNumber === shortCode);
  return named.length > 0 ? named : titles;
}
