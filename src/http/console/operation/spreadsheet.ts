// A table that somebody pasted: CSV with a comma, semicolon or tab.

const MOST_ROWS = 50_000;
const MOST_COLUMNS = 100;

export function readCsv(text: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`, "y");
  while (cell.lastIndex < text.length && rows.length < MOST_ROWS) {
    const found = cell.exec(text);
    if (!found) break; // a quotation mark in the middle of a cell: what follows cannot be read
    if (row.length < MOST_COLUMNS) row.push((found[1]?.replaceAll('""', '"') ?? found[2] ?? "").trim());
    if (found[3] === separator) continue;
    if (row.some((it) => it !== "")) rows.push(row);
    row = [];
  }
  if (row.some((it) => it !== "")) rows.push(row);
  return rows;
}

function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split(/\r?\n/, 1)[0] ?? "";
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, it) => (it.count > best.count ? it : best)).mark;
}
