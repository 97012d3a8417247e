// Whose account it is that somebody comes for whom the exchange's provider knows.

import type { Holder, StaffRole } from "../nouns/role.ts";
import type { Db } from "./db.ts";
import { isRefusal } from "./refusal.ts";
import { sql } from "./sql.ts";
import { createStaffAccount, isLastAdministrator } from "./staff.ts";
import { nobodysPassword } from "./staff-password.ts";
import type { SignedIn } from "./staff-sign-in.ts";

export type Known = {
  exchangeId: number;
  issuer: string;
  subject: string;
  /** Only one that the provider has verified. */
  email: string | null;
  name: string;
  /** Null: the provider gives none. Undefined: roles are not its business. */
  role: StaffRole | null | undefined;
  /** What a new account gets where roles are not its business; null: there is none for it. */
  firstRole: StaffRole | null;
  makes: boolean;
};

export type NotAdmitted = "disabled" | "no-role" | "no-email" | "no-account" | "other-person";

type Account = { id: number; email: string; role: StaffRole; active: boolean; isAnothers: boolean };

/** An account that was disabled here stays out, whatever the provider says. */
export function admit(
  db: Db,
  known: Known,
  nowMs: number,
): Promise<SignedIn | { refused: NotAdmitted; email: string }> {
  return db.transaction(async (db) => {
    const found = (await accountOf(db, known, "subject")) ?? (await accountOf(db, known, "email"));
    const email = found?.email ?? known.email ?? "";
    const account = found ?? (await newAccount(db, known));
    if (typeof account === "string") return { refused: account, email };
    if (!account.active) return { refused: "disabled", email };
    if (account.isAnothers) return { refused: "other-person", email };
    if (known.role === null) return { refused: "no-role", email };
    const role = await roleFor(db, known, account);
    const [holder] = await db.query<Holder & { extension: string | null }>(
      sql`update staff set sso_issuer = $3, sso_subject = $4, role = $5, last_sign_in_at = $6
       where exchange_id = $1 and id = $2 returning role, recordings, exports,
         (select number from extensions where extensions.id = extension_id) as extension`,
      [known.exchangeId, account.id, known.issuer, known.subject, role, new Date(nowMs)],
    );
    // The row is locked since we looked at it.
    return { ...holder!, id: account.id, exchangeId: known.exchangeId, email: account.email, door: "oidc" };
  });
}

/** Locked while we look: two first sign-ins of the same person come one after the other. */
async function accountOf(db: Db, known: Known, by: "subject" | "email"): Promise<Account | undefined> {
  const { exchangeId, issuer, subject, email } = known;
  const [found] = await db.query<Account>(
    by === "subject"
      ? sql`select id, email, role, active, false as "isAnothers" from staff
         where exchange_id = $1 and sso_issuer = $2 and sso_subject = $3 for update`
      : // A subject of another issuer is that of a provider of before.
        sql`select id, email, role, active, coalesce(sso_issuer = $2 and sso_subject <> $3, false) as "isAnothers"
         from staff where exchange_id = $1 and email = $4 for update`,
    by === "subject" ? [exchangeId, issuer, subject] : [exchangeId, issuer, subject, email],
  );
  return found;
}

async function newAccount(db: Db, known: Known): Promise<Account | NotAdmitted> {
  const { exchangeId, email, name, makes } = known;
  if (email === null) return "no-email";
  if (!makes) return "no-account";
  const role = known.role === undefined ? known.firstRole : known.role;
  if (role === null) return "no-role";
  const password = nobodysPassword(); // an administrator may give another
  const made = await createStaffAccount(db, { name: name || email, email, role, password, exchangeId });
  // It belongs to another exchange, which is nobody's business here.
  if (isRefusal(made)) return "no-account";
  return { id: made.id, email: made.email, role, active: true, isAnothers: false };
}

/** As the provider has it now; but an exchange never loses its last administrator that way. */
async function roleFor(db: Db, { exchangeId, role }: Known, account: Account): Promise<StaffRole> {
  if (!role || role === account.role) return account.role;
  return (await isLastAdministrator(db, exchangeId, account.id)) ? account.role : role;
}
