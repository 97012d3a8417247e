// COPY FROM STDIN, the quickest way into PostgreSQL, for filling tables by the million.

import type pg from "pg";
import { openLine } from "./pool.ts";
import { joined, type Sql, sql } from "./sql.ts";

export type Copier = {
  /** Lines as `COPY … FROM STDIN` reads them; see `copyLine`. */
  copy(table: Sql, columns: readonly Sql[], lines: string): Promise<void>;
  query(text: Sql, values?: unknown[]): Promise<Record<string, unknown>[]>;
};

/** A connection of its own: what runs between `begin` and `commit` here is one transaction. */
export async function withCopier<Result>(
  connection: string,
  work: (copier: Copier) => Promise<Result>,
): Promise<Result> {
  const { client } = openLine(connection, { patient: true });
  await client.connect();
  try {
    return await work({
      copy: (table, columns, lines) =>
        new Promise((resolve, reject) => {
          const statement = sql`copy ${table} (${joined(columns, ", ")}) from stdin`;
          client.query(new CopyIn(statement, lines, (error) => (error ? reject(error) : resolve())));
        }),
      query: async (text, values) => (await client.query(text, values)).rows as Record<string, unknown>[],
    });
  } finally {
    await client.end();
  }
}

export function copyLine(values: readonly (string | number | boolean | null)[]): string {
  let line = "";
  for (const value of values) line += (line === "" ? "" : "\t") + copyValue(value);
  return `${line}\n`;
}

function copyValue(value: string | number | boolean | null): string {
  if (value === null) return "\\N";
  if (typeof value !== "string") return String(value);
  return /[\\\t\n\r]/.test(value) ? value.replace(/[\\\t\n\r]/g, (letter) => escapes[letter] ?? "") : value;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** What the driver's connection offers beyond its published types. */
type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

/** The driver asks a query object to submit itself and tells it what the server says. */
class CopyIn implements pg.Submittable {
  readonly #statement: Sql;
  readonly #lines: string;
  readonly #done: (error?: Error) => void;
  #failed: Error | undefined;

  constructor(statement: Sql, lines: string, done: (error?: Error) => void) {
    this.#statement = statement;
    this.#lines = lines;
    this.#done = done;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#lines));
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#failed = error;
    this.#done(error);
  }

  handleReadyForQuery(): void {
    if (!this.#failed) this.#done();
  }
}
