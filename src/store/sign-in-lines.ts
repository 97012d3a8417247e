// What the audit trail holds of signing in: who came in by which door and from where, who did not and why, who left.

import { writeAuditLine } from "./audit.ts";
import type { Details } from "./audit-facts.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type SignInDoor = "password" | "second-factor" | "recovery-code" | "oidc";

type Person = { exchangeId: number; email: string };
type Came = Person & { door: SignInDoor; address: string };

export function noteSignIn(db: Db, { exchangeId, email: who, door, address }: Came): Promise<void> {
  return writeAuditLine(db, { doer: "staff", who, did: "signed-in", details: { door, address }, exchangeId });
}

export function noteProven(db: Db, { exchangeId, email: who, door, address }: Came): Promise<void> {
  return writeAuditLine(db, { doer: "staff", who, did: "signed-in-again", details: { door, address }, exchangeId });
}

export function noteSignOut(db: Db, { exchangeId, email: who, address }: Omit<Came, "door">): Promise<void> {
  return writeAuditLine(db, { doer: "staff", who, did: "signed-out", details: { address }, exchangeId });
}

export function noteFailedSignIn(
  db: Db,
  { exchangeId, email: who, door, address, why }: Came & { why: string },
): Promise<void> {
  const details = { door, why, address };
  return writeAuditLine(db, { doer: "staff", who, did: "sign-in-failed", details, exchangeId });
}

/**
 * A name that nobody has is not written down: it may be a password in the wrong field. It is told where there is one
 * exchange; among several nobody knows whose it was to be.
 */
export async function noteUnknownName(db: Db, address: string): Promise<void> {
  await db.query(
    sql`insert into audit_lines (exchange_id, doer, who, did, details)
     select min(id), 'staff', '', 'sign-in-failed', $1 from exchanges
     having count(*) = 1 and (select count(*) from exchange_owners) <= 1`,
    [{ door: "password", why: "unknown-name", address }],
  );
}

export type SignInLine = { at: Date; did: string; details: Details };

/** What concerns one account, newest first. An address that somebody else had before is not his. */
export function listOwnSignIns(
  db: Db,
  { exchangeId, staffId, limit }: { exchangeId: number; staffId: number; limit: number },
): Promise<SignInLine[]> {
  return db.query<SignInLine>(
    sql`select at, did, details from audit_lines join staff on staff.id = $2 and staff.exchange_id = $1
     where audit_lines.exchange_id = $1 and doer = 'staff' and who = staff.email and at >= staff.created_at
       and did in ('signed-in', 'signed-in-again', 'sign-in-failed', 'signed-out', 'session.signIn')
     order by at desc, audit_lines.id desc limit $3`,
    [exchangeId, staffId, limit],
  );
}
