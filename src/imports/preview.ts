// What would become of a file: the first rows that would be taken, and the first that would not, with the reason.

import { openTurns } from "../in-turns.ts";
import { type Readers, shareOf } from "../readers/task.ts";
import type { Import } from "../store/imports.ts";
import {
  type ImportParts,
  type ImportRefusal,
  type ImportSettings,
  isFault,
  ROWS_AT_ONCE,
  type RowFault,
} from "./importing.ts";
import { cellsBy, prepareImport } from "./prepare.ts";
import { openTableApart } from "./table-apart.ts";

/** A longer file is looked at so far, and says so. */
const LOOKED_AT = 10_000;
const SHOWN = 10;
const SHOWN_FAULTS = 100;

export type Preview = {
  looked: number;
  isWhole: boolean;
  good: number;
  bad: number;
  first: { row: number; shown: readonly string[] }[];
  faults: ({ row: number } & RowFault)[];
};

export async function previewImport(
  parts: ImportParts,
  { kind, heading, fields }: Pick<Import, "kind" | "heading" | "fields">,
  { bytes, settings, readers }: { bytes: Buffer; settings: ImportSettings; readers: Readers },
): Promise<Preview | ImportRefusal> {
  const importing = await prepareImport(kind, parts, settings);
  if ("refused" in importing) return importing;
  const asCells = cellsBy(heading, fields);
  const seen = new Set<string>();
  const found: Preview = { looked: 0, isWhole: true, good: 0, bad: 0, first: [], faults: [] };
  const turns = openTurns(ROWS_AT_ONCE);
  const how = { share: shareOf(parts.exchangeId), when: "now" } as const;
  for await (const rows of (await openTableApart(readers, bytes, how)).portions)
    for (const { row, cells } of rows) {
      if (found.looked >= LOOKED_AT) return { ...found, isWhole: false };
      found.looked++;
      const others = turns();
      if (others) await others;
      const read = importing.read(asCells(cells));
      const fault = isFault(read)
        ? read
        : seen.has(read.key)
          ? { why: "twice" as const, value: cells[0] ?? "" }
          : undefined;
      if (fault) {
        found.bad++;
        if (found.faults.length < SHOWN_FAULTS) found.faults.push({ row, ...fault });
      } else if (!isFault(read)) {
        seen.add(read.key);
        found.good++;
        if (found.first.length < SHOWN) found.first.push({ row, shown: read.shown });
      }
    }
  return found;
}
