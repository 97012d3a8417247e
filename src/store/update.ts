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

function fieldOf({ fields }: Noun, name: string): [name: string, field: Field] {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw new Error(`not a column that may be set: ${JSON.stringify(name.slice(0, 60))}`);
  return [name, field];
}

function columnOf(name: string, { column }: Field): Sql {
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

/** What stands there now, of the fields named; of a secret nothing, and nothing of what another table holds. */
export async function readFormer(
  db: Db,
  noun: Noun,
  { exchangeId, which, names }: { exchangeId: number; which: string | number | undefined; names: readonly string[] },
): Promise<Record<string, unknown> | undefined> {
  const wanted = names
    .filter((name) => Object.hasOwn(noun.fields, name))
    .map((name) => fieldOf(noun, name))
    .filter(([, { is, column }]) => is !== "secret" && column !== null);
  if (wanted.length === 0) return undefined;
  const columns = joined(
    wanted.map(([name, field]) => formerColumn(name, field)),
    ", ",
  );
  const owner = noun.table === "exchanges" ? sql`id` : sql`exchange_id`;
  const rows = sql`select ${columns} from ${quoted(noun.table)} where ${owner} = $1`;
  const [row] =
    which === undefined
      ? await db.query<Record<string, unknown>>(sql`${rows} ${inUse(noun)}`, [exchangeId])
      : await db.query<Record<string, unknown>>(sql`${rows} and ${knownAs(noun)}`, [exchangeId, which]);
  return row;
}

/** Of several that an exchange has had, the one that counts. */
function inUse({ table }: Noun): Sql {
  return table === "archives" ? sql`and active` : sql``;
}

/** A mailbox goes by its extension's number. */
function knownAs({ knownBy }: Noun): Sql {
  if (knownBy !== "extension_id") return sql`${quoted(knownBy)} = $2`;
  return sql`extension_id = (select id from extensions where exchange_id = $1 and number = $2)`;
}

function formerColumn(name: string, field: Field): Sql {
  if (field.is !== "extension") return shownColumn(name, field);
  return sql`(select number from extensions where extensions.id = ${columnOf(name, field)}) as ${quoted(name)}`;
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
