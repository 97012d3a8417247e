// What calls to the outside have cost, leg by leg: added up by day, trunk, extension, price, campaign or kind, and the legs
// behind each sum.

import type { PaidKind, SpentBy } from "../nouns/spent.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { place, type Sql, sql } from "./sql.ts";
import type { Stretch } from "./stretch.ts";

type SpentIn = Omit<Stretch, "within">;

/** The legs of one line alone. */
export type OneLine = { by: SpentBy; which: string };

/**
 * `which` is a day, a trunk's name, an extension's number, the prefix of a price, a campaign's id or a kind; empty is the
 * network in the box, no extension, the price of all other numbers, and no campaign. Nothing is what was spent before legs
 * were noted, whose kind is all that is known of it.
 */
export type SpentLine = { which: string | null; name: string; calls: number; minutes: number; amount: number };

const noted = (column: Sql) => sql`case when leg.kind <> 'unnoted' then coalesce(${column}, '') end`;

/** `zone` is where the time zone stands among the values. */
const keys: Readonly<Record<SpentBy, (zone: Sql) => Sql>> = {
  day: (zone) => sql`to_char(leg.at at time zone ${zone}, 'YYYY-MM-DD')`,
  trunk: () => noted(sql`leg.trunk`),
  extension: () => noted(sql`leg.extension`),
  price: () => noted(sql`leg.prefix`),
  campaign: () => noted(sql`leg.campaign_id::text`),
  kind: () => sql`leg.kind`,
};

const SUMS = sql`coalesce(sum(leg.calls), 0)::int as calls, coalesce(sum(leg.minutes), 0)::int as minutes,
  coalesce(sum(leg.amount), 0)::double precision as amount`;
const IN_STRETCH = sql`leg.exchange_id = $1 and leg.at >= $2 and leg.at < $3`;

/** What has cost most comes first; days come in their order, those that cost nothing as well. */
export function spentLines(db: Db, { exchangeId, from, before, timeZone }: SpentIn, by: SpentBy): Promise<SpentLine[]> {
  if (by === "day") return spentByDay(db, { exchangeId, from, before, timeZone });
  return db.query<SpentLine>(
    sql`select which, coalesce(extensions.name, campaign, '') as name, calls, minutes, amount
     from (select ${keys[by](sql`''`)} as which, ${SUMS}, ${by === "campaign" ? sql`max(leg.campaign)` : sql`null`} as campaign
       from paid_legs as leg where ${IN_STRETCH} group by 1) as lines
     left join extensions on $4 and extensions.exchange_id = $1 and extensions.number = which
     order by amount desc, which`,
    [exchangeId, from, before, by === "extension"],
  );
}

function spentByDay(db: Db, { exchangeId, from, before, timeZone }: SpentIn): Promise<SpentLine[]> {
  return db.query<SpentLine>(
    sql`select to_char(day, 'YYYY-MM-DD') as which, '' as name, ${SUMS}
     from generate_series(date_trunc('day', $2::timestamptz at time zone $4),
       date_trunc('day', ($3::timestamptz - interval '1 second') at time zone $4), interval '1 day') as day
     left join paid_legs as leg on ${IN_STRETCH} and date_trunc('day', leg.at at time zone $4) = day
     group by day order by day`,
    [exchangeId, from, before, timeZone],
  );
}

type SpentSum = Omit<SpentLine, "which" | "name">;

export async function spentSum(db: Db, { exchangeId, from, before }: SpentIn): Promise<SpentSum> {
  const [row] = await db.query<SpentSum>(sql`select ${SUMS} from paid_legs as leg where ${IN_STRETCH}`, [
    exchangeId,
    from,
    before,
  ]);
  return row!; // an aggregate always has its row
}

export type PaidLeg = {
  leg: string;
  at: Date;
  kind: PaidKind;
  callUuid: string | null;
  number: string;
  /** Of its price; empty: that of all other numbers. */
  prefix: string | null;
  /** Null: the network in the box, or not known. */
  trunk: string | null;
  extension: string;
  extensionName: string;
  campaign: string;
  minutes: number;
  amount: number;
};

const COLUMNS = sql`leg.leg, leg.at, leg.kind, leg.call_uuid as "callUuid", leg.number, leg.prefix, leg.trunk, leg.extension,
  coalesce(extensions.name, '') as "extensionName", leg.campaign, leg.minutes, leg.amount::double precision as amount`;
const WITH_NAMES = sql`paid_legs as leg
  left join extensions on extensions.exchange_id = leg.exchange_id and extensions.number = leg.extension`;

/** What of the stretch is wanted, with its values. */
function behind({ exchangeId, from, before, timeZone }: SpentIn, line: OneLine | undefined) {
  const values: unknown[] = [exchangeId, from, before];
  if (!line) return { where: IN_STRETCH, values };
  const key = keys[line.by](place(5));
  const zone = line.by === "day" ? [timeZone] : [];
  return { where: sql`${IN_STRETCH} and ${key} = $4`, values: [...values, line.which, ...zone] };
}

/** The newest first. */
export async function paidLegs(
  db: Db,
  stretch: SpentIn,
  { line, ...page }: Page & { line?: OneLine | undefined },
): Promise<Paged<PaidLeg>> {
  const { where, values } = behind(stretch, line);
  const [limit, offset] = [place(values.length + 1), place(values.length + 2)];
  const [rows, [counted]] = await Promise.all([
    db.query<PaidLeg>(
      sql`select ${COLUMNS} from ${WITH_NAMES} where ${where} order by leg.at desc, leg.leg desc limit ${limit} offset ${offset}`,
      [...values, page.limit, offsetOf(page)],
    ),
    db.query<{ total: number }>(sql`select count(*)::int as total from paid_legs as leg where ${where}`, values),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** All of them, a portion at a time, the newest first. */
export async function* walkPaidLegs(
  db: Db,
  stretch: SpentIn,
  { line, atOnce }: { line?: OneLine | undefined; atOnce: number },
): AsyncGenerator<PaidLeg[]> {
  const { where, values } = behind(stretch, line);
  const [at, leg, limit] = [1, 2, 3].map((further) => place(values.length + further));
  let last: Pick<PaidLeg, "at" | "leg"> | undefined;
  for (;;) {
    const rows: PaidLeg[] = await db.query<PaidLeg>(
      sql`select ${COLUMNS} from ${WITH_NAMES} where ${where}
         and (${at!}::timestamptz is null or (leg.at, leg.leg) < (${at!}::timestamptz, ${leg!}::text))
       order by leg.at desc, leg.leg desc limit ${limit!}`,
      [...values, last?.at ?? null, last?.leg ?? null, atOnce],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < atOnce) return;
    last = rows.at(-1);
  }
}
