// The end of an import, good or bad: what waited for its last row goes on.

import { releaseConsentCampaign } from "../store/consents.ts";
import type { Db } from "../store/db.ts";
import { endImport as end, type ImportEnd } from "../store/imports.ts";

/** False when it had ended already. */
export function endImport(db: Db, exchangeId: number, id: number, how: ImportEnd): Promise<boolean> {
  return db.transaction(async (db) => {
    const ended = await end(db, exchangeId, id, how);
    if (!ended) return false;
    if (ended.kind === "consents" && ended.madeId !== null) await releaseConsentCampaign(db, exchangeId, ended.madeId);
    return true;
  });
}
