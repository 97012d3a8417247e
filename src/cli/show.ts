// What a command prints: JSON for programs, a table or a sentence for people.

/** `failed`: what is shown is bad news, and the exit code says so too. */
export type Shown = { value: unknown; lines: string[]; failed?: boolean };

/** What a program can rely on is the value; the lines are for reading. */
export function said(sentence: string | string[], value: unknown): Shown {
  return { value, lines: typeof sentence === "string" ? [sentence] : sentence };
}

/** Rows as a table of the named columns. */
export function table<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): Shown {
  if (rows.length === 0) return { value: rows, lines: ["none"] };
  const head = columns.map((column) => snake(column).replaceAll("_", " "));
  const body = rows.map((row) => columns.map((column) => text(row[column])));
  const widths = head.map((title, index) =>
    Math.max(...[head, ...body].map((cells) => cells[index]?.length ?? title.length)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return { value: rows, lines: [line(head), ...body.map(line)] };
}

/** One thing, a line for each of its facts. */
export function card(facts: object): Shown {
  const entries = Object.entries(facts).map(([name, value]) => [snake(name), text(value)] as const);
  const width = Math.max(...entries.map(([name]) => name.length));
  return { value: facts, lines: entries.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()) };
}

export function print(shown: Shown | undefined, asJson: boolean): void {
  if (!shown) return;
  const lines = asJson ? [JSON.stringify(withSnakeKeys(shown.value), null, 2)] : shown.lines;
  process.stdout.write(`${lines.join("\n")}\n`);
}

function text(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, "Z");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(text).join(",") || "-";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function withSnakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeKeys);
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snake(key), withSnakeKeys(inner)]));
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
