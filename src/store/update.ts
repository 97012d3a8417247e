// The one way in which changes become an update: columns out of a list in the code, in a row of one exchange.

import type { Db } from "./db.ts";
import { joined, place, quoted, type Sql, sql } from "./sql.ts";

/** Columns that may be set, by the names under which changes name them: nothing else ever becomes SQL. */
export type Settable<Name extends string> = Readonly<Record<Name, Sql>>;

/** What is left out, or undefined, stays as it is. */
export type Changes<Name extends string> = { readonly [Column in Name]?: unknown };

/** Columns whose changes bear their own names. */
export function settable<const Name extends string>(...columns: readonly Name[]): Settable<Name> {
  return Object.fromEntries(columns.map((column) => [column, quoted(column)])) as Settable<Name>; // of these very names
}

export type Assignments = {
  /** `"name" = $3, "active" = $4` */
  list: Sql;
  names: readonly Sql[];
  places: readonly Sql[];
  values: readonly unknown[];
};

/** A change of what is not in the list is our own mistake: the doors take no other names. */
export function assignments<Name extends string>(
  columns: Settable<Name>,
  changes: Changes<Name>,
  firstPlace: number,
): Assignments {
  const given = Object.entries<unknown>(changes).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => columnFor(columns, name));
  const places = given.map((_, index) => place(firstPlace + index));
  const list = joined(
    names.map((name, index) => sql`${name} = ${places[index]!}`),
    ", ",
  );
  return { list, names, places, values: given.map(([, value]) => value) };
}

function columnFor(columns: Settable<string>, name: string): Sql {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (column === undefined) throw new Error(`not a column that may be set: ${JSON.stringify(name.slice(0, 60))}`);
  return column;
}

/** What an exchange has several of, each known by a number, a name or an id. */
export type Settings<Name extends string> = { table: Sql; knownBy: Sql; columns: Settable<Name> };

/** False when the exchange has no such thing. */
export async function updateOwn<Name extends string>(
  db: Db,
  { table, knownBy, columns }: Settings<Name>,
  { exchangeId, which, changes }: { exchangeId: number; which: string | number; changes: Changes<Name> },
): Promise<boolean> {
  const { list, values } = assignments(columns, changes, 3);
  const mine = sql`where exchange_id = $1 and ${knownBy} = $2`;
  const statement =
    values.length > 0
      ? sql`update ${table} set ${list} ${mine} returning ${knownBy}`
      : sql`select ${knownBy} from ${table} ${mine}`;
  const found = await db.query(statement, [exchangeId, which, ...values]);
  return found.length > 0;
}
