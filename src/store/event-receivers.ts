// Where an exchange's call events go, which of them are wanted, and the secret that signs them.

import { randomBytes } from "node:crypto";
import { EVENT_SWITCHES, type EventSwitch } from "../nouns/exchange.ts";
import type { SecretPlace } from "../secrets/sealed.ts";
import type { Secrets, Unreadable } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sealing } from "./sealing.ts";
import { joined, quoted, sql } from "./sql.ts";

/** `notes`: also what agents write about calls. */
export type EventSubscriptions = Record<EventSwitch, boolean> & { notes: boolean; timeZone: string };

/** Each under its own name. */
export const eventSwitchColumns = joined(
  EVENT_SWITCHES.map((name) => sql`${quoted(`crm_${name}`)} as ${quoted(name)}`),
  ", ",
);

/** Exchanges without a receiver are not in the answer: they are told nothing. */
export async function readEventSubscriptions(db: Db, exchangeIds: number[]): Promise<Map<number, EventSubscriptions>> {
  const rows = await db.query<EventSubscriptions & { id: number }>(
    sql`select id, ${eventSwitchColumns}, crm_notes as notes, time_zone as "timeZone"
     from exchanges where id = any ($1::bigint[]) and crm_url <> ''`,
    [exchangeIds],
  );
  return new Map(rows.map(({ id, ...wanted }) => [id, wanted]));
}

/** What the exchange signs everything with that it sends out. Undefined: there is no such exchange any more. */
export async function readSigningSecret(
  db: Db,
  { open }: Pick<Secrets, "open">,
  exchangeId: number,
): Promise<string | Unreadable | undefined> {
  const [row] = await db.query<{ secret: string }>(sql`select crm_secret as secret from exchanges where id = $1`, [
    exchangeId,
  ]);
  return row && open(signingSecretOf(exchangeId), row.secret);
}

export async function readEventReceiver(
  db: Db,
  { open }: Pick<Secrets, "open">,
  exchangeId: number,
): Promise<{ url: string; secret: string | Unreadable } | undefined> {
  const [row] = await db.query<{ url: string; secret: string }>(
    sql`select crm_url as url, crm_secret as secret from exchanges where id = $1 and crm_url <> ''`,
    [exchangeId],
  );
  return row && { url: row.url, secret: open(signingSecretOf(exchangeId), row.secret) };
}

/** The old one signs nothing from the commit on. */
export function renewSigningSecret(db: Db, secrets: Secrets, exchangeId: number): Promise<string> {
  const secret = newSigningSecret();
  return sealing(db, secrets, async (db, seal) => {
    await db.query(sql`update exchanges set crm_secret = $2 where id = $1`, [
      exchangeId,
      seal(signingSecretOf(exchangeId), secret),
    ]);
    return secret;
  });
}

export function newSigningSecret(): string {
  return randomBytes(32).toString("hex");
}

export function signingSecretOf(exchangeId: number): SecretPlace {
  return { kind: "exchanges.crm_secret", exchangeId, row: exchangeId };
}
