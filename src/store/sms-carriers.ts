// Carriers: who takes an exchange's messages away. Without a real one the sandbox stands in.

import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";

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

const columns = `id, exchange_id as "exchangeId", name, kind, host, port, tls, tls_verify as "tlsVerify",
  system_id as "systemId", password, system_type as "systemType", send_window as "window",
  messages_per_second as "messagesPerSecond", long_messages as "longMessages", national_tables as "nationalTables",
  receipts, when_uncertain as "whenUncertain", prefixes, priority`;

const SETTINGS = {
  host: "host",
  port: "port",
  tls: "tls",
  tlsVerify: "tls_verify",
  systemId: "system_id",
  password: "password",
  systemType: "system_type",
  window: "send_window",
  messagesPerSecond: "messages_per_second",
  longMessages: "long_messages",
  nationalTables: "national_tables",
  receipts: "receipts",
  whenUncertain: "when_uncertain",
  prefixes: "prefixes",
  priority: "priority",
} as const;

export type NewCarrier = Pick<CarrierRow, "name" | "kind"> & Partial<Pick<CarrierRow, keyof typeof SETTINGS>>;

export async function createCarrier(
  db: Db,
  exchangeId: number,
  carrier: NewCarrier,
): Promise<CarrierRow | SetupRefusal> {
  const { name, kind, ...settings } = carrier;
  // Only the keys of the record above are left.
  const given = Object.keys(settings) as (keyof typeof SETTINGS)[];
  const names = ["exchange_id", "name", "kind", ...given.map((key) => SETTINGS[key])];
  const places = names.map((_, place) => `$${place + 1}`);
  return unlessTaken(db, { refused: "name-taken", what: "carrier", name }, async (db) => {
    const [row] = await db.query<CarrierRow>(
      `insert into sms_carriers (${names.join(", ")}) values (${places.join(", ")}) returning ${columns}`,
      [exchangeId, name, kind, ...given.map((key) => settings[key])],
    );
    await db.query("select pg_notify('sms_carriers', '')");
    return row!; // an insert without a condition returns its row
  });
}

export function listCarriers(db: Db, exchangeId: number): Promise<CarrierRow[]> {
  return db.query<CarrierRow>(
    `select ${columns} from sms_carriers where exchange_id = $1 and active order by kind = 'sandbox', priority, id`,
    [exchangeId],
  );
}

/** Of all exchanges: the message centre opens every one of them. */
export function listAllCarriers(db: Db): Promise<CarrierRow[]> {
  return db.query<CarrierRow>(`select ${columns} from sms_carriers where active order by id`);
}

export async function removeCarrier(db: Db, exchangeId: number, name: string): Promise<boolean> {
  const removed = await db.query(
    `update sms_carriers set active = false, name = name || ' (' || id || ')'
     where exchange_id = $1 and name = $2 and active returning pg_notify('sms_carriers', '')`,
    [exchangeId, name],
  );
  return removed.length > 0;
}

export async function setTariff(db: Db, exchangeId: number, prefix: string, multiplier: number): Promise<void> {
  await db.query(
    `insert into sms_tariffs (exchange_id, prefix, multiplier) values ($1, $2, $3)
     on conflict (exchange_id, prefix) do update set multiplier = excluded.multiplier`,
    [exchangeId, prefix, multiplier],
  );
}

export function listTariffs(db: Db, exchangeId: number): Promise<{ prefix: string; multiplier: number }[]> {
  return db.query(`select prefix, multiplier from sms_tariffs where exchange_id = $1 order by prefix`, [exchangeId]);
}
