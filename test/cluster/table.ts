// What drills required and what was seen, as one table: for whoever sits before it, and for docs/reliability.md.

export type Row = { drill: string; required: string; seen: string; met: boolean };

export function asText(rows: readonly Row[]): string {
  const heads = { drill: "drill", required: "required", seen: "seen" };
  const wide = (name: keyof typeof heads) => Math.max(...[heads, ...rows].map((row) => row[name].length));
  const widths = { drill: wide("drill"), required: wide("required") };
  const line = (row: typeof heads, met: string) =>
    `${met.padEnd(7)}  ${row.drill.padEnd(widths.drill)}  ${row.required.padEnd(widths.required)}  ${row.seen}`;
  return [line(heads, ""), ...rows.map((row) => line(row, row.met ? "met" : "NOT MET"))].join("\n");
}

export function asMarkdown(rows: readonly Row[], about: string): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const lines = rows.map(
    ({ drill, required, seen, met }) =>
      `| ${[drill, required, seen].map(cell).join(" | ")} | ${met ? "met" : "**not met**"} |`,
  );
  return [about, "", "| Drill | Required | Seen | |", "|---|---|---|---|", ...lines, ""].join("\n");
}

/** The value below which so large a share lies; nothing of nothing. */
export function share(values: readonly number[], of: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * of) - 1)] ?? Number.NaN;
}

/** One of what can be wrong: nothing is, as it should be, or how much and the first of it. */
export function rowOf(wrong: readonly string[], { kind, ...about }: Omit<Row, "seen" | "met"> & { kind: RegExp }): Row {
  const found = wrong.filter((it) => kind.test(it));
  return { ...about, seen: found.length === 0 ? "all" : `${found.length} wrong: ${found[0]}`, met: found.length === 0 };
}
