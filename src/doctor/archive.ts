// Checks of the stores outside: which of them does not take recordings, and how many wait for it.

import { placeOf } from "../exchange/archiving/notes.ts";
import { type ArchiveRow, countArchived, listArchives } from "../store/archives.ts";
import type { Db } from "../store/db.ts";
import { listExchanges } from "../store/exchanges.ts";
import { archiveTroubleInWords } from "../words/archive-troubles.ts";
import { type Finding, ok, warn } from "./finding.ts";

export async function archiveFindings(db: Db): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, name } of await listExchanges(db)) {
    const archives = await listArchives(db, id);
    const inUse = archives.find(({ active }) => active);
    const failing = archives.filter(({ trouble }) => trouble !== null);
    const { archived, waiting } = await countArchived(db, id);
    findings.push(...failing.map((row) => failed(row, { name, waiting })));
    if (inUse && failing.length === 0)
      findings.push(ok(`recordings of ${name} go to ${placeOf(inUse)}: ${archived} are there, ${waiting} wait`));
  }
  return findings;
}

function failed(row: ArchiveRow, { name, waiting }: { name: string; waiting: number }): Finding {
  const why = row.trouble ? archiveTroubleInWords(row.trouble, "en") : "";
  return warn(
    `the archive of ${name}, ${placeOf(row)}, fails: ${why}; ${waiting} recordings wait`,
    `see "santral archive test --exchange ${row.exchangeId}", and set it right with "santral archive set"`,
  );
}
