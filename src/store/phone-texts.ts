// Short texts between phones that wait to be delivered.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type PhoneText = { id: number; fromNumber: string; fromName: string; body: string; sentAt: Date };

export type NewPhoneText = {
  exchangeId: number;
  extensionId: number;
  fromNumber: string;
  fromName: string;
  body: string;
  sentAt: Date;
};

/** Undefined when so many wait already, or there is no such extension. */
export async function keepPhoneText(db: Db, text: NewPhoneText, most: number): Promise<number | undefined> {
  const { exchangeId, extensionId, fromNumber, fromName, body, sentAt } = text;
  const [kept] = await db.query<{ id: number }>(
    sql`insert into phone_texts (exchange_id, extension_id, from_number, from_name, body, sent_at)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from phone_texts where exchange_id = $1 and extension_id = $2) < $7
       and exists (select from extensions where exchange_id = $1 and id = $2)
     returning id`,
    [exchangeId, extensionId, fromNumber, fromName, body, sentAt, most],
  );
  return kept?.id;
}

/** Those of an extension, the oldest first. */
export function waitingPhoneTexts(db: Db, exchangeId: number, extensionId: number): Promise<PhoneText[]> {
  return db.query<PhoneText>(
    sql`select id, from_number as "fromNumber", from_name as "fromName", body, sent_at as "sentAt"
     from phone_texts where exchange_id = $1 and extension_id = $2 order by id`,
    [exchangeId, extensionId],
  );
}

export async function removePhoneText(db: Db, exchangeId: number, id: number): Promise<void> {
  await db.query(sql`delete from phone_texts where exchange_id = $1 and id = $2`, [exchangeId, id]);
}

/** Extensions for which some wait, of every exchange. */
export function extensionsWithTexts(db: Db): Promise<{ exchangeId: number; extensionId: number }[]> {
  return db.query(sql`select distinct exchange_id as "exchangeId", extension_id as "extensionId" from phone_texts`);
}

export async function dropPhoneTexts(db: Db, before: Date): Promise<void> {
  await db.query(sql`delete from phone_texts where sent_at < $1`, [before]);
}
