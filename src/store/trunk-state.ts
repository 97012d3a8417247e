// Trunks as the running server needs them: set-up, rules and numbers of every exchange, and what is known of each line.

import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type TrunkSetup = {
  id: number;
  exchangeId: number;
  name: string;
  host: string;
  port: number;
  transport: "udp" | "tcp" | "tls";
  username: string | null;
  password: string | null;
  /** There is a password, but it cannot be opened: nothing goes out by this trunk until it can, or is given anew. */
  passwordLost?: true;
  registers: boolean;
  /** Networks that calls of this trunk come from, in the form address/bits. */
  sourceAddresses: string[];
  callerIdForm: "e164" | "plus" | "national";
  /** Which header tells the carrier who calls. */
  identity: "pai" | "ppi" | "rpid" | "none";
  /** What it asserts is believed, and we assert to it (RFC 3325). */
  trusted: boolean;
  diversion: "none" | "diversion" | "history-info" | "both";
  forwardedCaller: "own" | "original";
  attestation: "ignored" | "verified" | "required";
  /** PEM, one after the other. */
  attestationCertificates: string;
  codecs: string[];
  channelLimit: number | null;
  /** The lowest is tried first. */
  priority: number;
  healthCheck: boolean;
  /** Faxes may go as data; otherwise only as sound. */
  t38: boolean;
};

export type TrunkRule = {
  exchangeId: number;
  name: string;
  priority: number;
  prefix: string;
  trunkId: number | null;
  callerId: string | null;
};

export type TrunkNumber = { number: string; exchangeId: number; trunkId: number | null };

export type TrunkState = {
  trunkId: number;
  callId: string | null;
  cseq: number;
  registeredUntilMs: number | null;
  health: "unknown" | "up" | "down";
  lastError: string | null;
};

export type TrunkSetups = { trunks: TrunkSetup[]; rules: TrunkRule[]; numbers: TrunkNumber[] };

/** Says that a trunk, an outbound rule or an external number has just changed; a trigger speaks. */
export const TRUNKS_CHANNEL = "trunks";

/** The active trunks; rules in the order in which they are tried. */
export async function readTrunkSetups(db: Db, secrets: Pick<Secrets, "open">): Promise<TrunkSetups> {
  const [trunks, rules, numbers] = await Promise.all([
    db.query<TrunkSetup>(
      sql`select id, exchange_id as "exchangeId", name, host, port, transport, username, password, registers,
         (select coalesce(array_agg(address::text), '{}') from unnest(source_addresses) as address)
           as "sourceAddresses",
         caller_id_form as "callerIdForm", identity, trusted, diversion, forwarded_caller as "forwardedCaller",
         attestation, attestation_certificates as "attestationCertificates", codecs, channel_limit as "channelLimit", priority,
         health_check as "healthCheck", t38
       from trunks where active order by priority, id`,
    ),
    db.query<TrunkRule>(
      sql`select exchange_id as "exchangeId", name, priority, prefix, trunk_id as "trunkId", caller_id as "callerId"
       from outbound_rules order by priority, id`,
    ),
    db.query<TrunkNumber>(
      sql`select number, exchange_id as "exchangeId", trunk_id as "trunkId" from external_numbers order by id`,
    ),
  ]);
  return { trunks: trunks.map((trunk) => withPassword(trunk, secrets)), rules, numbers };
}

function withPassword(trunk: TrunkSetup, { open }: Pick<Secrets, "open">): TrunkSetup {
  const { id: row, exchangeId, password } = trunk;
  if (!password) return trunk;
  const opened = open({ kind: "trunks.password", exchangeId, row }, password);
  return typeof opened === "string" ? { ...trunk, password: opened } : { ...trunk, password: null, passwordLost: true };
}

export function readTrunkStates(db: Db): Promise<TrunkState[]> {
  return db.query<TrunkState>(
    sql`select trunk_id as "trunkId", call_id as "callId", cseq,
       extract(epoch from registered_until)::float8 * 1000 as "registeredUntilMs", health, last_error as "lastError"
     from trunk_states`,
  );
}

/** A trunk deleted meanwhile is passed over. */
export async function saveTrunkState(db: Db, state: TrunkState): Promise<void> {
  await db.query(
    sql`insert into trunk_states (trunk_id, call_id, cseq, registered_until, health, last_error)
     select id, $2, $3, to_timestamp($4::float8 / 1000), $5, $6 from trunks where id = $1
     on conflict (trunk_id) do update set call_id = excluded.call_id, cseq = excluded.cseq,
       registered_until = excluded.registered_until, last_error = excluded.last_error, health = excluded.health,
       since = case when trunk_states.health = excluded.health then trunk_states.since else now() end`,
    [state.trunkId, state.callId, state.cseq, state.registeredUntilMs, state.health, state.lastError],
  );
}
