// SQL that stands in the code: the database takes nothing else, so that no text from outside can become a statement.
// Values go by $1, $2 …; names of columns come from lists in the code.

declare const written: unique symbol;

/** Text that was written as SQL. There is no way from a string to it but the few functions of this file. */
export type Sql = string & { readonly [written]: true };

/** What stands inside is SQL itself, or a number. */
export function sql(parts: TemplateStringsArray, ...inside: readonly (Sql | number)[]): Sql {
  let text = parts[0]!; // a template has at least one part
  for (let index = 0; index < inside.length; index++) text += `${inside[index]}${parts[index + 1]}`;
  return text as Sql;
}

/**
 * Somewhere in a statement: the database plans it for the values of each asking, and not once for any. For what is quick in
 * one way over a week, and in another over a year.
 */
export const PLANNED_ANEW = sql`/* planned anew */`;

/** The place of a value that is handed over beside the statement: $1 is the first. */
export function place(index: number): Sql {
  return `$${index}` as Sql;
}

/** A text that stands in the code, as the statement spells it. */
export function literal(text: string): Sql {
  return `'${text.replaceAll("'", "''")}'` as Sql;
}

export function joined(pieces: readonly Sql[], between: ", " | " and " | " union all "): Sql {
  return pieces.join(between) as Sql;
}

/** A name that the database itself has told us, such as a table of its catalogue. */
export function quoted(name: string): Sql {
  return `"${name.replaceAll('"', '""')}"` as Sql;
}

/** The text of a file that came with the program. Who may call this is held by a test. */
export function fromOwnFile(text: string): Sql {
  return text as Sql;
}
