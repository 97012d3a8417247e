// SIP passwords that the interface may show: sealed, and only of extensions whose password was made while their exchange
// allows it. A registrar never needs them.

import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sealing } from "./sealing.ts";
import { sql } from "./sql.ts";

/** To be called in the transaction that gives the extension this password. */
export async function keepShownPassword(
  db: Db,
  secrets: Pick<Secrets, "seal">,
  { exchangeId, number, password }: { exchangeId: number; number: string; password: string },
): Promise<void> {
  const [extension] = await db.query<{ row: number }>(
    sql`select x.id as row from extensions x join exchanges e on e.id = x.exchange_id
     where x.exchange_id = $1 and x.number = $2 and e.show_sip_passwords`,
    [exchangeId, number],
  );
  if (!extension) return;
  const { row } = extension;
  await sealing(db, secrets, async (db, seal) => {
    const sealed = seal({ kind: "extensions.shown_password", exchangeId, row }, password);
    await db.query(sql`update extensions set shown_password = $3 where exchange_id = $1 and id = $2`, [
      exchangeId,
      row,
      sealed,
    ]);
  });
}

/** Undefined where it is not kept, may not be shown any more, or does not open. */
export async function shownPassword(
  db: Db,
  secrets: Pick<Secrets, "open">,
  { exchangeId, number }: { exchangeId: number; number: string },
): Promise<string | undefined> {
  const [kept] = await db.query<{ row: number; stored: string }>(
    sql`select x.id as row, x.shown_password as stored from extensions x join exchanges e on e.id = x.exchange_id
     where x.exchange_id = $1 and x.number = $2 and e.show_sip_passwords and x.shown_password <> ''`,
    [exchangeId, number],
  );
  if (!kept) return undefined;
  const opened = secrets.open({ kind: "extensions.shown_password", exchangeId, row: kept.row }, kept.stored);
  return typeof opened === "string" ? opened : undefined;
}
