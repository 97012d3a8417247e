// Extensions as they are set up. A SIP password is kept as the two digests that a registrar compares; whether it may also
// be shown again is for shown-passwords.ts.

import { createHash } from "node:crypto";
import { extension } from "../nouns/extension.ts";
import type { Changes } from "../nouns/field.ts";
import type { Db } from "./db.ts";
import { usersOfTarget, whyNumberIsNotFree } from "./dial-plan.ts";
import type { SetupRefusal } from "./refusal.ts";
import { sql } from "./sql.ts";
import { updateOwn } from "./update.ts";

export type Extension = {
  id: number;
  number: string;
  name: string;
  email: string | null;
  active: boolean;
  dnd: boolean;
  isAgent: boolean;
  recordCalls: boolean;
  maxCalls: number;
  outboundCallerId: string | null;
};

export type NewExtension = {
  exchangeId: number;
  number: string;
  password: string;
  name?: string;
  email?: string | undefined;
  isAgent?: boolean;
  outboundCallerId?: string | undefined;
};

const columns = sql`id, number, name, email, active, dnd, is_agent as "isAgent", record_calls as "recordCalls",
  max_calls as "maxCalls", outbound_caller_id as "outboundCallerId"`;

export async function createExtension(db: Db, wanted: NewExtension): Promise<Extension | SetupRefusal> {
  const { exchangeId, number, password, name = "", email, isAgent = false, outboundCallerId } = wanted;
  return db.transaction(async (db) => {
    const realm = await lockRealm(db, exchangeId);
    if (realm === undefined) return { refused: "not-found", what: "exchange", which: String(exchangeId) };
    const notFree = await whyNumberIsNotFree(db, { exchangeId, noun: "extension", number });
    if (notFree) return notFree;
    const { md5, sha256 } = digestsOf({ number, realm, password });
    const [row] = await db.query<Extension>(
      sql`insert into extensions (exchange_id, number, name, email, ha1_md5, ha1_sha256, is_agent, outbound_caller_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
      [exchangeId, number, name, email ?? null, md5, sha256, isAgent, outboundCallerId ?? null],
    );
    return row!; // an insert without a condition returns its row
  });
}

export function listExtensions(db: Db, exchangeId: number): Promise<Extension[]> {
  return db.query<Extension>(
    sql`select ${columns} from extensions where exchange_id = $1 order by length(number), number`,
    [exchangeId],
  );
}

export async function findExtension(db: Db, exchangeId: number, number: string): Promise<Extension | undefined> {
  const [row] = await db.query<Extension>(
    sql`select ${columns} from extensions where exchange_id = $1 and number = $2`,
    [exchangeId, number],
  );
  return row;
}

export type ExtensionDetail = Extension & { useWebrtc: boolean; timeRangeBegin: string; timeRangeEnd: string };

export async function describeExtension(
  db: Db,
  exchangeId: number,
  number: string,
): Promise<ExtensionDetail | undefined> {
  const [row] = await db.query<ExtensionDetail>(
    sql`select ${columns}, use_webrtc as "useWebrtc", time_range_begin as "timeRangeBegin",
       time_range_end as "timeRangeEnd"
     from extensions where exchange_id = $1 and number = $2`,
    [exchangeId, number],
  );
  return row;
}

export async function setExtensionPassword(
  db: Db,
  { exchangeId, number, password }: { exchangeId: number; number: string; password: string },
): Promise<boolean> {
  return db.transaction(async (db) => {
    const realm = await lockRealm(db, exchangeId);
    if (realm === undefined) return false;
    const { md5, sha256 } = digestsOf({ number, realm, password });
    const changed = await db.query(
      sql`update extensions set ha1_md5 = $3, ha1_sha256 = $4, shown_password = null where exchange_id = $1 and number = $2 returning id`,
      [exchangeId, number, md5, sha256],
    );
    return changed.length > 0;
  });
}

export function updateExtension(
  db: Db,
  { exchangeId, number, changes }: { exchangeId: number; number: string; changes: Changes<typeof extension> },
): Promise<boolean> {
  return updateOwn(db, extension, { exchangeId, which: number, changes });
}

export async function deleteExtension(db: Db, exchangeId: number, number: string): Promise<SetupRefusal | undefined> {
  for (const target of [`user/${number}`, `voicemail/${number}`]) {
    const [by] = await usersOfTarget(db, exchangeId, target);
    if (by) return { refused: "in-use", what: "extension", which: number, by };
  }
  const deleted = await db.query(sql`delete from extensions where exchange_id = $1 and number = $2 returning id`, [
    exchangeId,
    number,
  ]);
  return deleted.length > 0 ? undefined : { refused: "not-found", what: "extension", which: number };
}

/** The digests of RFC 8760 (and RFC 2617 before it): what is compared, never what was typed. */
function digestsOf({ number, realm, password }: { number: string; realm: string; password: string }) {
  const secret = `${number}:${realm}:${password}`;
  return {
    md5: createHash("md5").update(secret).digest("hex"),
    sha256: createHash("sha256").update(secret).digest("hex"),
  };
}

// Locked, so that two commands at once cannot give one number to two nouns.
async function lockRealm(db: Db, exchangeId: number): Promise<string | undefined> {
  const [row] = await db.query<{ realm: string }>(
    sql`select sip_domain as realm from exchanges where id = $1 for update`,
    [exchangeId],
  );
  return row?.realm;
}
