// Carriers: who takes an exchange's messages away. Without a real one the sandbox stands in.

import type { Changes } from "../nouns/field.ts";
import { smsCarrier } from "../nouns/sms-carrier.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { sealing } from "./sealing.ts";
import { joined, sql } from "./sql.ts";
import { assignments } from "./update.ts";

export type CarrierSetup = {
  id: number;
  exchangeId: number;
  name: string;
  kind: "sandbox" | "smpp";
  host: string | null;
  port: number | null;
  tls: boolean;
  tlsVerify: boolean;
  systemId: string | null;
  systemType: string;
  window: number;
  messagesPerSecond: number | null;
  longMessages: "udh" | "sar" | "payload";
  nationalTables: boolean;
  receipts: boolean;
  unmarkedReceipts: boolean;
  whenUncertain: "resend" | "keep";
  prefixes: string[];
  priority: number;
};

/** As the message centre opens it. */
export type CarrierRow = CarrierSetup & {
  password: string | null;
  /** There is a password, but it cannot be opened: its messages wait until it can. */
  passwordLost?: true;
};

const columns = sql`id, exchange_id as "exchangeId", name, kind, host, port, tls, tls_verify as "tlsVerify",
  system_id as "systemId", system_type as "systemType", send_window as "window",
  messages_per_second as "messagesPerSecond", long_messages as "longMessages", national_tables as "nationalTables",
  receipts, unmarked_receipts as "unmarkedReceipts", when_uncertain as "whenUncertain", prefixes, priority`;

export type NewCarrier = Pick<CarrierSetup, "name" | "kind"> & Changes<typeof smsCarrier>;

export async function createCarrier(
  db: Db,
  secrets: Secrets,
  exchangeId: number,
  carrier: NewCarrier,
): Promise<CarrierSetup | SetupRefusal> {
  const { name, kind, password, ...settings } = carrier;
  const { names, places, values } = assignments(smsCarrier, settings, 4);
  return unlessTaken(db, { refused: "name-taken", what: "carrier", name }, async (db) => {
    const [row] = await db.query<CarrierSetup>(
      sql`insert into sms_carriers (${joined([sql`exchange_id, name, kind`, ...names], ", ")})
       values (${joined([sql`$1, $2, $3`, ...places], ", ")}) returning ${columns}`,
      [exchangeId, name, kind, ...values],
    );
    const { id } = row!; // an insert without a condition returns its row
    if (password) await setPassword(db, secrets, { exchangeId, id, password });
    await db.query(sql`select pg_notify('sms_carriers', '')`);
    return row!;
  });
}

async function setPassword(
  db: Db,
  secrets: Secrets,
  { exchangeId, id, password }: { exchangeId: number; id: number; password: string },
): Promise<void> {
  await sealing(db, secrets, (db, seal) =>
    db.query(sql`update sms_carriers set password = $3 where exchange_id = $1 and id = $2`, [
      ...[exchangeId, id],
      seal({ kind: "sms_carriers.password", exchangeId, row: id }, password),
    ]),
  );
}

export function listCarriers(db: Db, exchangeId: number): Promise<CarrierSetup[]> {
  return db.query<CarrierSetup>(
    sql`select ${columns} from sms_carriers where exchange_id = $1 and active order by kind = 'sandbox', priority, id`,
    [exchangeId],
  );
}

/** Of all exchanges: the message centre opens every one of them. */
export async function listAllCarriers(db: Db, { open }: Pick<Secrets, "open">): Promise<CarrierRow[]> {
  const rows = await db.query<CarrierRow>(sql`select ${columns}, password from sms_carriers where active order by id`);
  return rows.map((row) => {
    if (!row.password) return row;
    const opened = open({ kind: "sms_carriers.password", exchangeId: row.exchangeId, row: row.id }, row.password);
    return typeof opened === "string" ? { ...row, password: opened } : { ...row, password: null, passwordLost: true };
  });
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
