// The one way in which changes become an update: columns out of a noun's own description, in a row of one exchange.

import { type Changes, type Field, type Kind, type Noun, shownFields } from "../nouns/field.ts";
import type { Db } from "./db.ts";
import { joined, place, quoted, type Sql, sql } from "./sql.ts";

export type Assignments = {
  /** `"name" = $3, "active" = $4` */
  list: Sql;
  names: readonly Sql[];
  places: readonly Sql[];
  values: readonly unknown[];
};

/** The exchange is $1 of the statement. A change of what is not described is our own mistake: the doors take no other. */
export function assignments<N extends Noun>(noun: N, changes: Changes<N>, firstPlace: number): Assignments {
  const given = Object.entries<unknown>(changes).filter(([, value]) => value !== undefined);
  const fields = given.map(([name]) => fieldOf(noun, name));
  const names = fields.map(([name, field]) => columnOf(name, field));
  const places = fields.map(([, { is }], index) => (kept[is] ?? asItIs)(place(firstPlace + index)));
  const list = joined(
    names.map((name, index) => sql`${name} = ${places[index]!}`),
    ", ",
  );
  return { list, names, places, values: given.map(([, value]) => value) };
}

export function fieldOf({ fields }: Noun, name: string): [name: string, field: Field] {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw new Error(`not a column that may be set: ${JSON.stringify(name.slice(0, 60))}`);
  return [name, field];
}

export function columnOf(name: string, { column }: Field): Sql {
  return quoted(column ?? name);
}

const asItIs = (value: Sql): Sql => value;

/** What is known by a name or a number outside is known by its id in here. */
const kept: { [Is in Kind["is"]]?: (value: Sql) => Sql } = {
  trunk: (name) => sql`(select id from trunks where exchange_id = $1 and name = ${name})`,
  extension: (number) => sql`(select id from extensions where exchange_id = $1 and number = ${number})`,
  form: (name) => sql`(select id from forms where exchange_id = $1 and name = ${name})`,
};

/** False when the exchange has no such thing. */
export async function updateOwn<N extends Noun>(
  db: Db,
  noun: N,
  { exchangeId, which, changes }: { exchangeId: number; which: string | number; changes: Changes<N> },
): Promise<boolean> {
  const { list, values } = assignments(noun, changes, 3);
  const [table, knownBy] = [quoted(noun.table), quoted(noun.knownBy)];
  const mine = sql`where exchange_id = $1 and ${knownBy} = $2`;
  const statement =
    values.length > 0
      ? sql`update ${table} set ${list} ${mine} returning ${knownBy}`
      : sql`select ${knownBy} from ${table} ${mine}`;
  const found = await db.query(statement, [exchangeId, which, ...values]);
  return found.length > 0;
}

/** A noun's columns as the console shows them: what `Row` of it has. */
export function shownColumns({ fields }: Noun): Sql {
  return joined(
    shownFields(fields).map(([name, field]) => shownColumn(name, field)),
    ", ",
  );
}

export function shownColumn(name: string, field: Field): Sql {
  const column = columnOf(name, field);
  const secret = field.is === "secret";
  return sql`${(shown[field.is] ?? asItIs)(column)} as ${quoted(secret ? `has_${name}` : name)}`;
}

const shown: { [Is in Kind["is"]]?: (column: Sql) => Sql } = {
  time: (column) => sql`left(${column}::text, 5)`,
  addresses: (column) => sql`array(select address::text from unnest(${column}) as address)`,
  secret: (column) => sql`coalesce(${column}, '') <> ''`,
  trunk: (column) => sql`(select name from trunks where trunks.id = ${column})`,
  form: (column) => sql`(select forms.name from forms where forms.id = ${column})`,
};
