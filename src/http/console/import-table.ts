// The rows that an import left out, as they came, with the reason before them: put right, they can be imported again.

import type { Language } from "../../languages.ts";
import type { Cell } from "../../reports/cell.ts";
import type { Db } from "../../store/db.ts";
import { type Import, listImportFaults } from "../../store/imports.ts";
import { faultColumns, rowFaultInWords } from "../../words/import-words.ts";
import { AT_ONCE } from "./tables.ts";

export async function* importFaultRows(db: Db, found: Import, language: Language): AsyncGenerator<Cell[][]> {
  yield [[faultColumns.row[language], faultColumns.why[language], ...found.heading]];
  for (let after = 0; ; ) {
    const rows = await listImportFaults(db, found, { after, limit: AT_ONCE });
    yield rows.map(({ row, why, cells }) => [row, rowFaultInWords(why, language), ...cells]);
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.row;
  }
}
