// Tables as they come, piece by piece: rows of CSV, and the records of a JSON list. What was read is not kept.

const LONGEST_CELL = 10_000;
const MOST_CELLS = 200;

/** `isWhole` says after the last piece whether the table ended where a table may end. */
export type TableReader<Row> = { read(piece: string): Row[]; isWhole(): boolean };

/** Comma, semicolon or tab, whichever the first line has most of; cells in quotation marks hold them and line breaks. */
export function csvReader(separator: string): TableReader<string[]> {
  let row: string[] = [];
  let cell = "";
  let at: "start" | "bare" | "quoted" | "after quote" = "start";
  const endCell = () => {
    if (row.length < MOST_CELLS) row.push(cell.trim());
    [cell, at] = ["", "start"];
  };
  const add = (text: string) => {
    if (cell.length < LONGEST_CELL) cell += text.slice(0, LONGEST_CELL);
  };
  const marks = ['"', separator, "\r", "\n"].map((mark) => mark.charCodeAt(0));
  // By hand: a pattern keeps a way back for every letter, and has no room for those of a long cell.
  const endOf = (piece: string, from: number) => {
    if (at === "quoted") return (piece.indexOf('"', from) + 1 || piece.length + 1) - 1;
    let end = from;
    while (end < piece.length && !marks.includes(piece.charCodeAt(end))) end++;
    return end;
  };

  function read(piece: string): string[][] {
    const rows: string[][] = [];
    for (let index = 0; index < piece.length; ) {
      const text = piece.slice(index, endOf(piece, index));
      if (text !== "") {
        add(text);
        if (at !== "quoted" && text.trim() !== "") at = "bare";
        index += text.length;
        continue;
      }
      const mark = piece[index++]!; // inside the piece
      if (mark === '"') quote();
      else if (mark === separator) endCell();
      else {
        endCell();
        if (row.some((it) => it !== "")) rows.push(row);
        row = [];
      }
    }
    return rows;
  }

  /** One that opens, one that closes, or the second of two that stand for one; in the middle of a cell it is itself. */
  function quote(): void {
    if (at === "start") [cell, at] = ["", "quoted"];
    else if (at === "quoted") at = "after quote";
    else if (at === "after quote") {
      add('"');
      at = "quoted";
    } else add('"');
  }

  return { read, isWhole: () => at !== "quoted" };
}

export function separatorOf(line: string): string {
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, it) => (it.count > best.count ? it : best)).mark;
}

const LONGEST_RECORD = 200_000;

/**
 * The objects of the first list in a JSON text: the text is that list, or an object that has it (`{"contacts": […]}`).
 * Each is handed on by itself, so that a long list is never read as a whole. One that is no JSON is undefined.
 */
export function jsonReader(): TableReader<Record<string, unknown> | undefined> {
  let depth = 0;
  let listDepth = -1;
  let isText = false;
  let isEscaped = false;
  let isOver = false;
  let record: string | undefined;
  const marks = /["\\[\]{}]/g;

  function read(piece: string): (Record<string, unknown> | undefined)[] {
    const found: (Record<string, unknown> | undefined)[] = [];
    let from = 0;
    const keep = (to: number) => {
      if (record !== undefined && record.length < LONGEST_RECORD) record += piece.slice(from, to);
      from = to;
    };
    marks.lastIndex = 0;
    if (isEscaped && piece !== "") [isEscaped, marks.lastIndex] = [false, 1];
    for (let hit = marks.exec(piece); hit; hit = marks.exec(piece)) {
      const mark = hit[0];
      if (mark === "\\") {
        if (!isText) continue;
        if (hit.index + 1 >= piece.length) isEscaped = true;
        else marks.lastIndex = hit.index + 2;
      } else if (mark === '"') isText = !isText;
      else if (isText) continue;
      else if (mark === "[" || mark === "{") {
        if (mark === "[" && listDepth < 0) listDepth = depth + 1;
        else if (mark === "{" && depth === listDepth) [record, from] = ["", hit.index];
        depth++;
      } else {
        depth--;
        if (record !== undefined && depth === listDepth) {
          keep(hit.index + 1);
          found.push(parsed(record));
          record = undefined;
        } else if (depth < listDepth) [listDepth, isOver] = [Number.POSITIVE_INFINITY, true];
      }
    }
    keep(piece.length);
    return found;
  }

  return { read, isWhole: () => isOver && depth === 0 };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>; // it began with a brace
  } catch {
    return undefined;
  }
}
