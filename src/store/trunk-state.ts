// Trunks as the running server needs them: set-up, rules and numbers of every exchange, and what is known of each line.

import type { KeyForm, SrtpUse } from "../nouns/choices.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type TrunkSetup = {
  id: number;
  exchangeId: number;
  name: string;
  host: string;
  port: number;
  /** "auto": as the carrier's own records in DNS say. */
  transport: "auto" | "udp" | "tcp" | "tls";
  username: string | null;
  password: string | null;
  /** There is a password, but it cannot be opened: nothing goes out by this trunk until it can, or is given anew. */
  passwordLost?: true;
  registers: boolean;
  /** Networks that calls of this trunk come from, in the form address/bits. */
  sourceAddresses: string[];
  /** Networks where its voice may be, when that is elsewhere than its SIP. */
  mediaNetworks: string[];
  callerIdForm: "e164" | "plus" | "national";
  /** Which header tells the carrier who calls. */
  identity: "pai" | "ppi" | "rpid" | "none";
  /** What it asserts is believed, and we assert to it (RFC 3325). */
  trusted: boolean;
  diversion: "none" | "diversion" | "history-info" | "both";
  forwardedCaller: "own" | "original";
  /** It is told who is on the line after a transfer. */
  tellsConnected: boolean;
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
  authUser: string | null;
  fromUser: string | null;
  fromDomain: string | null;
  /** host or host:port. */
  outboundProxy: string | null;
  /** What becomes of a number that we dial, and of one of ours that is called. */
  outward: Rewriting;
  inward: Rewriting;
  silentSeconds: number;
  /** 0: for as long as it may ring. */
  progressSeconds: number;
  /** Statuses, and classes of them. */
  nextOn: string[];
  sendsName: boolean;
  comedia: "never" | "near" | "any";
  tlsVerify: boolean;
  tlsName: string | null;
  /** A file. */
  tlsCa: string | null;
  srtp: SrtpUse;
  /** In which form keys are sent; and whether tones are listened for whatever was agreed on. */
  dtmf: KeyForm;
  hearsInband: boolean;
};

export type Rewriting = { strip: number; prefix: string };

export type TrunkRule = {
  exchangeId: number;
  name: string;
  priority: number;
  prefix: string;
  trunkId: number | null;
  callerId: string | null;
};

export type TrunkNumber = { number: string; exchangeId: number; trunkId: number | null };

/** What of a trunk's own the operator has approved: a network, a host whose servers may call, or a network of voice alone. */
export type TrunkApproval = {
  exchangeId: number;
  trunkId: number;
  network: string | null;
  host: string | null;
  media: string | null;
};

export type TrunkState = {
  trunkId: number;
  callId: string | null;
  cseq: number;
  registeredUntilMs: number | null;
  health: "unknown" | "up" | "down";
  /** Since when it is so. */
  sinceMs: number | null;
  /** Why it could not register or be reached: a word of ours, or what the carrier said. */
  lastError: string | null;
  /** What it said last to whatever we asked of it by itself, and when; how long an OPTIONS took. */
  answer: string | null;
  answeredMs: number | null;
  latencyMs: number | null;
  /** When it is asked or registered next. */
  nextTryMs: number | null;
  /** Addresses at which a SIP server has answered it, and until when each is good. */
  proved: string[];
  provedUntilMs: number[];
};

/** `exchanges`: how many there are. */
export type TrunkSetups = {
  trunks: TrunkSetup[];
  rules: TrunkRule[];
  numbers: TrunkNumber[];
  approvals: TrunkApproval[];
  exchanges: number;
};

/** Says the id of an exchange of whose trunks, their approvals, outbound rules or external numbers one has just changed; a
 *  trigger speaks. */
export const TRUNKS_CHANNEL = "trunks";

/** The active trunks; rules in the order in which they are tried. `only`: of these exchanges. */
export async function readTrunkSetups(
  db: Db,
  secrets: Pick<Secrets, "open">,
  only?: readonly number[],
): Promise<TrunkSetups> {
  const ids = [only ?? null];
  const [trunks, rules, numbers, approvals, exchanges] = await Promise.all([
    db.query<TrunkSetup>(
      sql`select id, exchange_id as "exchangeId", name, host, port, transport, username, password, registers,
         (select coalesce(array_agg(address::text), '{}') from unnest(source_addresses) as address)
           as "sourceAddresses",
         (select coalesce(array_agg(network::text), '{}') from unnest(media_networks) as network) as "mediaNetworks",
         caller_id_form as "callerIdForm", identity, trusted, diversion, forwarded_caller as "forwardedCaller",
         attestation, attestation_certificates as "attestationCertificates", codecs, channel_limit as "channelLimit", priority,
         health_check as "healthCheck", t38, auth_user as "authUser", from_user as "fromUser",
         from_domain as "fromDomain", outbound_proxy as "outboundProxy",
         jsonb_build_object('strip', outward_strip, 'prefix', coalesce(outward_prefix, '')) as outward,
         jsonb_build_object('strip', inward_strip, 'prefix', coalesce(inward_prefix, '')) as inward,
         silent_seconds as "silentSeconds", progress_seconds as "progressSeconds",
         tells_connected as "tellsConnected", next_on as "nextOn", sends_name as "sendsName", comedia,
         tls_verify as "tlsVerify", tls_name as "tlsName", tls_ca as "tlsCa",
         srtp, dtmf, hears_inband as "hearsInband"
       from trunks where active and ($1::bigint[] is null or exchange_id = any($1)) order by priority, id`,
      ids,
    ),
    db.query<TrunkRule>(
      sql`select exchange_id as "exchangeId", name, priority, prefix, trunk_id as "trunkId", caller_id as "callerId"
       from outbound_rules where $1::bigint[] is null or exchange_id = any($1) order by priority, id`,
      ids,
    ),
    db.query<TrunkNumber>(
      sql`select number, exchange_id as "exchangeId", trunk_id as "trunkId" from external_numbers
       where $1::bigint[] is null or exchange_id = any($1) order by id`,
      ids,
    ),
    db.query<TrunkApproval>(
      sql`select exchange_id as "exchangeId", trunk_id as "trunkId", network::text, host, media::text from trunk_approvals
       where $1::bigint[] is null or exchange_id = any($1)`,
      ids,
    ),
    db.query<{ count: number }>(sql`select count(*)::int as count from exchanges`),
  ]);
  const read = { rules, numbers, approvals, exchanges: exchanges[0]?.count ?? 0 };
  return { trunks: trunks.map((trunk) => withPassword(trunk, secrets)), ...read };
}

function withPassword(trunk: TrunkSetup, { open }: Pick<Secrets, "open">): TrunkSetup {
  const { id: row, exchangeId, password } = trunk;
  if (!password) return trunk;
  const opened = open({ kind: "trunks.password", exchangeId, row }, password);
  return typeof opened === "string" ? { ...trunk, password: opened } : { ...trunk, password: null, passwordLost: true };
}

export function readTrunkStates(db: Db, trunkIds: readonly number[]): Promise<TrunkState[]> {
  return db.query<TrunkState>(
    sql`select trunk_id as "trunkId", call_id as "callId", cseq,
       extract(epoch from registered_until)::float8 * 1000 as "registeredUntilMs", health, last_error as "lastError",
       extract(epoch from since)::float8 * 1000 as "sinceMs", answer,
       extract(epoch from answered_at)::float8 * 1000 as "answeredMs", latency_ms as "latencyMs",
       extract(epoch from next_try_at)::float8 * 1000 as "nextTryMs",
       (select coalesce(array_agg(host(address) order by place), '{}')
         from unnest(proved) with ordinality as kept (address, place)) as proved,
       (select coalesce(array_agg(extract(epoch from until)::float8 * 1000 order by place), '{}')
         from unnest(proved_until) with ordinality as kept (until, place)) as "provedUntilMs"
     from trunk_states where trunk_id = any($1)`,
    [trunkIds],
  );
}

/** A trunk deleted meanwhile is passed over. */
export async function saveTrunkState(db: Db, state: TrunkState): Promise<void> {
  await db.query(
    sql`insert into trunk_states (trunk_id, call_id, cseq, registered_until, health, last_error, since, answer,
       answered_at, latency_ms, next_try_at, proved, proved_until)
     select id, $2, $3, to_timestamp($4::float8 / 1000), $5, $6, coalesce(to_timestamp($7::float8 / 1000), now()), $8,
       to_timestamp($9::float8 / 1000), $10, to_timestamp($11::float8 / 1000), $12::inet[],
       (select coalesce(array_agg(to_timestamp(ms / 1000) order by place), '{}')
         from unnest($13::float8[]) with ordinality as kept (ms, place)) from trunks where id = $1
     on conflict (trunk_id) do update set call_id = excluded.call_id, cseq = excluded.cseq,
       registered_until = excluded.registered_until, last_error = excluded.last_error, health = excluded.health,
       since = excluded.since, answer = excluded.answer, answered_at = excluded.answered_at,
       latency_ms = excluded.latency_ms, next_try_at = excluded.next_try_at,
       proved = excluded.proved, proved_until = excluded.proved_until`,
    [
      ...[state.trunkId, state.callId, state.cseq, state.registeredUntilMs, state.health, state.lastError],
      ...[state.sinceMs, state.answer, state.answeredMs, state.latencyMs, state.nextTryMs, state.proved],
      state.provedUntilMs,
    ],
  );
}
