// Carriers: who takes an exchange's messages away. Without a real one the sandbox stands in.

import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { joined, sql } from "./sql.ts";
import { assignments } from "./update.ts";

export type CarrierRow = {
  id: number;
  exchangeId: number;
  name: string;
  kind: "sandbox" | "smpp";
  host: string | null;
  port: number | null;
  tls: boolean;
  tlsVerify: boolean;
  systemId: string | null;
  password: string | null;
  systemType: string;
  window: number;
  messagesPerSecond: number | null;
  longMessages: "udh" | "sar" | "payload";
  nationalTables: boolean;
  receipts: boolean;
  whenUncertain: "resend" | "keep";
  prefixes: string[];
  priority: number;
};

const columns = sql`id, exchange_id as "exchangeId", name, kind, host, port, tls, tls_verify as "tlsVerify",
  system_id as "systemId", password, system_type as "systemType", send_window as "window",
  messages_per_second as "messagesPerSecond", long_messages as "longMessages", national_tables as "nationalTables",
  receipts, when_uncertain as "whenUncertain", prefixes, priority`;

const SETTINGS = {
  host: sql`host`,
  port: sql`port`,
  tls: sql`tls`,
  tlsVerify: sql`tls_verify`,
  systemId: sql`system_id`,
  password: sql`password`,
  systemType: sql`system_type`,
  window: sql`send_window`,
  messagesPerSecond: sql`messages_per_second`,
  longMessages: sql`long_messages`,
  nationalTables: sql`national_tables`,
  receipts: sql`receipts`,
  whenUncertain: sql`when_uncertain`,
  prefixes: sql`prefixes`,
  priority: sql`priority`,
};

export type NewCarrier = Pick<CarrierRow, "name" | "kind"> & Partial<Pick<CarrierRow, keyof typeof SETTINGS>>;

export async function createCarrier(
  db: Db,
  exchangeId: number,
  carrier: NewCarrier,
): Promise<CarrierRow | SetupRefusal> {
  const { name, kind, ...settings } = carrier;
  const { names, places, values } = assignments(SETTINGS, settings, 4);
  return unlessTaken(db, { refused: "name-taken", what: "carrier", name }, async (db) => {
    const [row] = await db.query<CarrierRow>(
      sql`insert into sms_carriers (${joined([sql`exchange_id, name, kind`, ...names], ", ")})
       values (${joined([sql`$1, $2, $3`, ...places], ", ")}) returning ${columns}`,
      [exchangeId, name, kind, ...values],
    );
    await db.query(sql`select pg_notify('sms_carriers', '')`);
    return row!; // an insert without a condition returns its row
  });
}

export function listCarriers(db: Db, exchangeId: number): Promise<CarrierRow[]> {
  return db.query<CarrierRow>(
    sql`select ${columns} from sms_carriers where exchange_id = $1 and active order by kind = 'sandbox', priority, id`,
    [exchangeId],
  );
}

/** Of all exchanges: the message centre opens every one of them. */
export function listAllCarriers(db: Db): Promise<CarrierRow[]> {
  return db.query<CarrierRow>(sql`select ${columns} from sms_carriers where active order by id`);
}

export async function removeCarrier(db: Db, exchangeId: number, name: string): Promise<boolean> {
  const removed = await db.query(
    sql`update sms_carriers set active = false, name = name || ' (' || id || ')'
     where exchange_id = $1 and name = $2 and active returning pg_notify('sms_carriers', '')`,
    [exchangeId, name],
  );
  return removed.length > 0;
}

export async function setTariff(db: Db, exchangeId: number, prefix: string, multiplier: number): Promise<void> {
  await db.query(
    sql`insert into sms_tariffs (exchange_id, prefix, multiplier) values ($1, $2, $3)
     on conflict (exchange_id, prefix) do update set multiplier = excluded.multiplier`,
    [exchangeId, prefix, multiplier],
  );
}

export function listTariffs(db: Db, exchangeId: number): Promise<{ prefix: string; multiplier: number }[]> {
  return db.query(sql`select prefix, multiplier from sms_tariffs where exchange_id = $1 order by prefix`, [exchangeId]);
}
