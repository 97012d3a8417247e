// A table that somebody pasted: CSV with a comma, semicolon or tab.

const MOST_ROWS = 50_000;
const MOST_COLUMNS = 100;
/** Longer than anything that is asked for in a table. */
const LONGEST_CELL = 5_000;
const CELLS_AT_ONCE = 2_000;

/** Row by row, and undefined after every so many cells: whoever reads a long table lets others have their turn then. */
export function* csvRows(text: string): Generator<string[] | undefined> {
  const separator = separatorOf(text);
  let row: string[] = [];
  let [rows, cells] = [0, 0];
  for (let at = 0; at < text.length && rows < MOST_ROWS; ) {
    const cell = cellAt(text, at, separator);
    if (!cell) break; // a quotation mark in the middle of a cell: what follows cannot be read
    if (++cells % CELLS_AT_ONCE === 0) yield undefined;
    if (row.length < MOST_COLUMNS) row.push(cell.words.trim().slice(0, LONGEST_CELL));
    at = cell.end + 1;
    if (text[cell.end] === separator) continue;
    if (text.startsWith("\r\n", cell.end)) at++;
    if (row.some((it) => it !== "")) {
      yield row;
      rows++;
    }
    row = [];
  }
  if (row.some((it) => it !== "")) yield row;
}

/** `end`: where its separator stands, or its line's end, or the text's. */
function cellAt(text: string, from: number, separator: string): { words: string; end: number } | undefined {
  const isQuoted = text[from] === '"';
  const end = isQuoted ? closingMark(text, from) + 1 : from;
  if (isQuoted && end === 0) return undefined;
  let at = end;
  while (at < text.length && !isEdge(text[at], separator)) {
    if (isQuoted || text[at] === '"') return undefined;
    at++;
  }
  return { words: isQuoted ? unquoted(text.slice(from + 1, end - 1)) : text.slice(from, at), end: at };
}

/** Of a long cell only what is kept of it. */
const unquoted = (inside: string) => inside.slice(0, 2 * LONGEST_CELL).replaceAll('""', '"');

const isEdge = (letter: string | undefined, separator: string) =>
  letter === separator || letter === "\n" || letter === "\r";

/** Two of them are one of the text; -1 where it does not end. */
function closingMark(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split(/\r?\n/, 1)[0] ?? "";
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, it) => (it.count > best.count ? it : best)).mark;
}
