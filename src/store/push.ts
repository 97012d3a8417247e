// Browsers that may be told of something while no page of ours is open in them, and the key we are known by to their
// makers' push services. One browser a session: whoever is signed out is told nothing.

import { createHash } from "node:crypto";
import type { Language } from "../languages.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sealing } from "./sealing.ts";
import { sql } from "./sql.ts";
import { liveSessions } from "./staff-sessions.ts";

/** What a browser gave us: where to, and by which keys; octets in base64url. */
export type BrowserAddress = { endpoint: string; p256dh: string; auth: string };

export type Subscription = BrowserAddress & { id: number; language: Language };

const KEY = "push_keys.private_key";
const ADDRESS = "push_subscriptions.sealed";

/** Made when it is first asked for. One that does not open any more is replaced: browsers are then bound anew. */
export async function pushKeyOf(
  db: Db,
  secrets: Pick<Secrets, "seal" | "open">,
  { exchangeId, fresh }: { exchangeId: number; fresh: () => string },
): Promise<string> {
  const place = { kind: KEY, exchangeId, row: exchangeId } as const;
  return (
    (await readPushKey(db, secrets, exchangeId)) ??
    sealing(db, secrets, async (db, seal) => {
      // Whoever comes at the same moment waits here, and finds it.
      await db.query(sql`select id from exchanges where id = $1 for no key update`, [exchangeId]);
      const found = await readPushKey(db, secrets, exchangeId);
      if (found !== undefined) return found;
      const made = fresh();
      await db.query(
        sql`insert into push_keys (exchange_id, private_key) values ($1, $2)
         on conflict (exchange_id) do update set private_key = excluded.private_key`,
        [exchangeId, seal(place, made)],
      );
      return made;
    })
  );
}

/** Undefined: nobody has asked for one yet, or it cannot be opened. */
export async function readPushKey(
  db: Db,
  { open }: Pick<Secrets, "open">,
  exchangeId: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ stored: string }>(
    sql`select private_key as stored from push_keys where exchange_id = $1`,
    [exchangeId],
  );
  const key = row && open({ kind: KEY, exchangeId, row: exchangeId }, row.stored);
  return typeof key === "string" ? key : undefined;
}

export type Told = { exchangeId: number; sessionId: number; address: BrowserAddress; language: Language };

/** In place of what the session, or an earlier session in the same browser, had. False: there is no such session. */
export function keepSubscription(
  db: Db,
  secrets: Pick<Secrets, "seal">,
  { exchangeId, sessionId, address, language }: Told,
): Promise<boolean> {
  return sealing(db, secrets, async (db, seal) => {
    const hash = hashOf(address.endpoint);
    const [session] = await db.query(
      sql`select s.id from staff_sessions s join staff on staff.id = s.staff_id
       where staff.exchange_id = $1 and s.id = $2 for update of s`,
      [exchangeId, sessionId],
    );
    if (!session) return false;
    await db.query(
      sql`delete from push_subscriptions where exchange_id = $1 and (session_id = $2 or endpoint_hash = $3)`,
      [exchangeId, sessionId, hash],
    );
    const [made] = await db.query<{ id: number }>(
      sql`insert into push_subscriptions (exchange_id, session_id, endpoint_hash, sealed, language)
       values ($1, $2, $3, '', $4) returning id`,
      [exchangeId, sessionId, hash, language],
    );
    const row = made!.id; // an insert without a condition has its row
    await db.query(sql`update push_subscriptions set sealed = $3 where exchange_id = $1 and id = $2`, [
      exchangeId,
      row,
      seal({ kind: ADDRESS, exchangeId, row }, JSON.stringify(address)),
    ]);
    return true;
  });
}

/** Which browser the session has told us of, by the hash of its endpoint. */
export async function subscriptionOf(
  db: Db,
  { exchangeId, sessionId }: { exchangeId: number; sessionId: number },
): Promise<{ endpointHash: string; language: Language } | undefined> {
  const [row] = await db.query<{ hash: Buffer; language: Language }>(
    sql`select endpoint_hash as hash, language from push_subscriptions where exchange_id = $1 and session_id = $2`,
    [exchangeId, sessionId],
  );
  return row && { endpointHash: row.hash.toString("hex"), language: row.language };
}

export async function dropSubscriptionOf(
  db: Db,
  { exchangeId, sessionId }: { exchangeId: number; sessionId: number },
): Promise<void> {
  await db.query(sql`delete from push_subscriptions where exchange_id = $1 and session_id = $2`, [
    exchangeId,
    sessionId,
  ]);
}

/** Somebody's browsers, as long as he is signed in there. Those that cannot be opened are left out. */
export async function subscriptionsOf(
  db: Db,
  { open }: Pick<Secrets, "open">,
  { exchangeId, extension, nowMs }: { exchangeId: number; extension: string; nowMs: number },
): Promise<Subscription[]> {
  const rows = await db.query<{ id: number; stored: string; language: Language }>(
    sql`select p.id, p.sealed as stored, p.language from push_subscriptions p
       join staff_sessions s on s.id = p.session_id join staff on staff.id = s.staff_id and staff.active
       join extensions e on e.id = staff.extension_id
     where p.exchange_id = $1 and staff.exchange_id = $1 and e.number = $2 and ${liveSessions(sql`s`, sql`$3`)}
     order by p.id desc limit 20`,
    [exchangeId, extension, new Date(nowMs)],
  );
  return rows.flatMap(({ id, stored, language }) => {
    const opened = open({ kind: ADDRESS, exchangeId, row: id }, stored);
    if (typeof opened !== "string") return [];
    return [{ ...(JSON.parse(opened) as BrowserAddress), id, language }]; // only written above
  });
}

/** The push service knows it no more. */
export async function dropSubscription(db: Db, { exchangeId, id }: { exchangeId: number; id: number }): Promise<void> {
  await db.query(sql`delete from push_subscriptions where exchange_id = $1 and id = $2`, [exchangeId, id]);
}

function hashOf(endpoint: string): Buffer {
  return createHash("sha256").update(endpoint).digest();
}
