// Exchanges: the tenants. Whatever is stored belongs to one, and goes with it.

import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { newSigningSecret, signingSecretOf } from "./event-receivers.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { sealing } from "./sealing.ts";
import { joined, sql } from "./sql.ts";
import { assignments, settable } from "./update.ts";

export type Exchange = {
  id: number;
  name: string;
  sipDomain: string;
  timeZone: string;
  createdAt: Date;
};

const columns = sql`id, name, sip_domain as "sipDomain", time_zone as "timeZone", created_at as "createdAt"`;

const exchangeSettings = settable(
  "name",
  "sip_domain",
  "time_zone",
  "record_calls",
  "record_inbound",
  "record_outbound",
  "record_internal",
  "recording_retention_days",
  "fax_retention_days",
  "office_opens",
  "office_closes",
  "office_days",
  "default_caller_id",
  "ring_seconds",
  "international_calls",
  "monthly_spending_limit",
  "channel_limit",
  "max_call_seconds",
  "crm_ringing",
  "crm_answered",
  "crm_hangup",
  "crm_url",
  "crm_probe",
  "program_url",
  "program_spare_target",
  "program_record_keys",
  "campaign_channels",
  "campaign_retry_seconds",
  "campaign_cut_off",
  "commercial_calls_from",
  "commercial_calls_until",
  "multi_line_campaigns",
  "strict_campaign_targets",
  "webphone_origins",
  "external_contacts",
  "special_day_messages",
  "cdr_range_limit",
);

export function createExchange(
  db: Db,
  secrets: Secrets,
  { name, sipDomain, timeZone = "Europe/Istanbul" }: { name: string; sipDomain: string; timeZone?: string },
): Promise<Exchange | SetupRefusal> {
  return unlessTaken(db, { refused: "name-taken", what: "SIP domain", name: sipDomain }, (db) =>
    sealing(db, secrets, async (db, seal) => {
      const id = await nextExchangeId(db); // first, since its secret is bound to it
      const [row] = await db.query<Exchange>(
        sql`insert into exchanges (id, name, sip_domain, time_zone, crm_secret) values ($1, $2, $3, $4, $5)
         returning ${columns}`,
        [id, name, sipDomain.toLowerCase(), timeZone, seal(signingSecretOf(id), newSigningSecret())],
      );
      return row!; // an insert without a condition returns its row
    }),
  );
}

export async function nextExchangeId(db: Db): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('exchanges', 'id')) as id`);
  return row!.id; // a select without a source has one row
}

export function listExchanges(db: Db): Promise<Exchange[]> {
  return db.query<Exchange>(sql`select ${columns} from exchanges order by id`);
}

export async function findExchange(db: Db, id: number): Promise<Exchange | undefined> {
  const [row] = await db.query<Exchange>(sql`select ${columns} from exchanges where id = $1`, [id]);
  return row;
}

/** Everything there is to know of one exchange, by column name. */
export async function describeExchange(db: Db, id: number): Promise<Record<string, unknown> | undefined> {
  const [row] = await db.query(sql`select * from exchanges where id = $1`, [id]);
  return row;
}

/** Settings by column name; a time of day as hours and minutes. */
export async function readExchangeSettings<Row>(
  db: Db,
  id: number,
  wanted: readonly (keyof typeof exchangeSettings)[],
): Promise<Row | undefined> {
  const columns = wanted.map((name) => {
    const column = exchangeSettings[name];
    return name === "office_opens" || name === "office_closes"
      ? sql`to_char(${column}, 'HH24:MI') as ${column}`
      : column;
  });
  const [row] = await db.query<Row>(sql`select ${joined(columns, ", ")} from exchanges where id = $1`, [id]);
  return row;
}

export async function updateExchange(db: Db, id: number, changes: Record<string, unknown>): Promise<void> {
  const { list, values } = assignments(exchangeSettings, changes, 2);
  if (values.length > 0) await db.query(sql`update exchanges set ${list} where id = $1`, [id, ...values]);
}

export async function deleteExchange(db: Db, id: number): Promise<boolean> {
  const deleted = await db.query(sql`delete from exchanges where id = $1 returning id`, [id]);
  return deleted.length > 0;
}
