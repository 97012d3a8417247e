// With which digests each phone got in, kept so that a restart does not make it guess again.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** `order`: its place in the registrar's list of orders; `strong`: it has answered with SHA-256. */
export type PhoneDigest = {
  exchangeId: number;
  extensionId: number;
  number: string;
  userAgent: string;
  order: number;
  strong: boolean;
};

/** An extension has few phones; one that calls itself something new every time does not fill the table. */
const MOST_PER_EXTENSION = 16;

export function readPhoneDigests(db: Db): Promise<PhoneDigest[]> {
  return db.query<PhoneDigest>(
    sql`select e.exchange_id as "exchangeId", e.id as "extensionId", e.number, p.user_agent as "userAgent", p.challenge_order as "order", p.strong
     from phone_digests p join extensions e on e.id = p.extension_id and e.exchange_id = p.exchange_id
     order by p.seen_at`,
  );
}

export async function savePhoneDigest(
  db: Db,
  exchangeId: number,
  digest: Omit<PhoneDigest, "exchangeId" | "extensionId">,
): Promise<void> {
  await db.query(
    sql`insert into phone_digests (exchange_id, extension_id, user_agent, challenge_order, strong)
     select exchange_id, id, $3, $4, $5 from extensions where exchange_id = $1 and number = $2
     on conflict (extension_id, user_agent) do update
       set challenge_order = excluded.challenge_order, strong = excluded.strong, seen_at = now()`,
    [exchangeId, digest.number, digest.userAgent, digest.order, digest.strong],
  );
  await db.query(
    sql`delete from phone_digests p using extensions e
     where e.exchange_id = $1 and e.number = $2 and p.exchange_id = $1 and p.extension_id = e.id and p.user_agent not in
       (select user_agent from phone_digests where extension_id = e.id order by strong desc, seen_at desc limit ${MOST_PER_EXTENSION})`,
    [exchangeId, digest.number],
  );
}
