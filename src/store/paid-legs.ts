// What calls to the outside have cost, leg by leg: added up by day, trunk, extension, price, campaign or kind, and the legs
// behind each sum.

import type { PaidKind, SpentBy } from "../nouns/spent.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { lineOf, paidSums, type SpentIn } from "./paid-sums.ts";
import { place, sql } from "./sql.ts";

/** The legs of one line alone. */
export type OneLine = { by: SpentBy; which: string };

/**
 * `which` is a day, a trunk's name, an extension's number, the prefix of a price, a campaign's id or a kind; empty is the
 * network in the box, no extension, the price of all other numbers, and no campaign. Nothing is what was spent before legs
 * were noted, whose kind is all that is known of it.
 */
export type SpentLine = { which: string | null; name: string; calls: number; minutes: number; amount: number };

const IN_STRETCH = sql`leg.exchange_id = $1 and leg.at >= $2 and leg.at < $3`;

const SUMS = sql`coalesce(sum(calls), 0)::int as calls, coalesce(sum(minutes), 0)::int as minutes,
  coalesce(sum(amount), 0)::double precision as amount`;

/** What has cost most comes first; days come in their order, those that cost nothing as well. */
export async function spentLines(db: Db, stretch: SpentIn, by: SpentBy): Promise<SpentLine[]> {
  if (by === "day") return spentByDay(db, stretch);
  const { sums, values } = await paidSums(db, stretch, by);
  return db.query<SpentLine>(
    sql`select which, coalesce(extensions.name, lines.name) as name, calls, minutes, amount
     from (select which, max(name) as name, ${SUMS} from ${sums} as sums group by which) as lines
     left join extensions on $7 and extensions.exchange_id = $1 and extensions.number = which
     order by amount desc, which`,
    [...values, by === "extension"],
  );
}

async function spentByDay(db: Db, stretch: SpentIn): Promise<SpentLine[]> {
  const { sums, values } = await paidSums(db, stretch, "kind");
  return db.query<SpentLine>(
    sql`select to_char(day, 'YYYY-MM-DD') as which, '' as name, ${SUMS}
     from generate_series(date_trunc('day', $2::timestamptz at time zone $4),
       date_trunc('day', ($3::timestamptz - interval '1 second') at time zone $4), interval '1 day') as day
     left join ${sums} as sums on date_trunc('day', sums.at at time zone $4) = day
     group by day order by day`,
    values,
  );
}

type SpentSum = Omit<SpentLine, "which" | "name">;

export async function spentSum(db: Db, stretch: SpentIn): Promise<SpentSum> {
  const { sums, values } = await paidSums(db, stretch, "kind");
  const [row] = await db.query<SpentSum>(sql`select ${SUMS} from ${sums} as sums`, values);
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

const IN_DAY = sql`leg.at >= $4::date::timestamp at time zone $5 and leg.at < ($4::date + 1)::timestamp at time zone $5`;

function isDay(text: string): boolean {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text) && text.length === 10;
}

/** What of the stretch is wanted, with its values. */
function behind({ exchangeId, from, before, timeZone }: SpentIn, line: OneLine | undefined) {
  const values: unknown[] = [exchangeId, from, before];
  if (!line) return { where: IN_STRETCH, values };
  if (line.by === "day") {
    if (!isDay(line.which)) return { where: sql`${IN_STRETCH} and false`, values };
    return { where: sql`${IN_STRETCH} and ${IN_DAY}`, values: [...values, line.which, timeZone] };
  }
  return { where: sql`${IN_STRETCH} and ${lineOf[line.by]} = $4`, values: [...values, line.which] };
}

async function countLegs(db: Db, stretch: SpentIn, line: OneLine | undefined): Promise<number> {
  const { sums, values } = await paidSums(db, stretch, line && line.by !== "day" ? line.by : "kind");
  const isIt = !line
    ? sql`true`
    : line.by === "day"
      ? sql`to_char(at at time zone $4, 'YYYY-MM-DD') = $7`
      : sql`which = $7`;
  const [row] = await db.query<{ total: number }>(
    sql`select coalesce(sum(legs), 0)::int as total from ${sums} as sums where ${isIt}`,
    line ? [...values, line.which] : values,
  );
  return row!.total; // an aggregate always has its row
}

/** The newest first. */
export async function paidLegs(
  db: Db,
  stretch: SpentIn,
  { line, ...page }: Page & { line?: OneLine | undefined },
): Promise<Paged<PaidLeg>> {
  const { where, values } = behind(stretch, line);
  const [limit, offset] = [place(values.length + 1), place(values.length + 2)];
  const [rows, total] = await Promise.all([
    db.query<PaidLeg>(
      sql`select ${COLUMNS} from ${WITH_NAMES} where ${where} order by leg.at desc, leg.leg desc limit ${limit} offset ${offset}`,
      [...values, page.limit, offsetOf(page)],
    ),
    countLegs(db, stretch, line),
  ]);
  return { rows, total };
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
