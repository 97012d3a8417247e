// Staff accounts, and the audit trail of what they did.

import { Type } from "typebox";
import { staff as member } from "../../../nouns/staff.ts";
import { newPassword } from "../../../passwords/new-password.ts";
import { searchAuditLines } from "../../../store/audit.ts";
import { isRefusal } from "../../../store/refusal.ts";
import {
  createStaffAccount,
  deleteStaffAccount,
  dropTotpSecret,
  emailOf,
  isLastAdministrator,
  listStaffAccounts,
  setStaffPassword,
  updateStaffAccount,
} from "../../../store/staff.ts";
import { endSessionsOf } from "../../../store/staff-sessions.ts";
import { isBreakGlass } from "../../../store/ways-in.ts";
import { AUDIT_KINDS, auditKinds } from "../../../words/audit/kinds.ts";
import { operationsAbout } from "../../../words/audit/words.ts";
import { changed } from "../operation/opens-more.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { type ConsoleRefusal, isRefused } from "../operation/refusal.ts";
import { email, id, moment, nothing, pageFields, text } from "./fields.ts";
import { changesSchema, wholeSchemas } from "./noun-schema.ts";

/** What somebody may do, whom he sees and whose telephone he has. */
const OPENING = ["role", "queues", "recordings", "exports", "extension", "active"];

const { active: _active, ...fields } = wholeSchemas(member);

export const staff = {
  "staff.list": operation({
    right: "manage-staff",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listStaffAccounts(db, exchangeId),
  }),

  "staff.create": operation({
    right: "manage-staff",
    fresh: true,
    apart: true,
    parameters: Type.Object({
      ...fields,
      language: Type.Optional(fields.language),
      queues: Type.Optional(fields.queues),
      recordings: Type.Optional(fields.recordings),
      exports: Type.Optional(fields.exports),
      email: email(),
    }),
    async handle({ extension, ...wanted }, { exchangeId, passwords, record }) {
      const shown = newPassword(16);
      const password = await passwords.hash(shown);
      if (isRefused(password)) return password;
      const phone = extension || undefined;
      const account = { ...wanted, password, extension: phone, mustChangePassword: true, exchangeId };
      return record(async ({ db }) => {
        const made = await createStaffAccount(db, account);
        return isRefusal(made) ? made : { id: made.id, email: made.email, password: shown };
      });
    },
  }),

  "staff.update": operation({
    right: "manage-staff",
    fresh: {
      async when({ id, changes }, context) {
        const more = await changed(member, OPENING, { which: id, wanted: changes }, context);
        return more.some(({ name, next }) => name !== "active" || next === true);
      },
    },
    parameters: Type.Object({
      id: id(),
      changes: changesSchema(member),
    }),
    async handle({ id, changes }, { db, exchangeId, staff }) {
      if (id === staff.id && (changes.active === false || (changes.role ?? staff.role) !== staff.role))
        return { refused: "yourself" } as const;
      const loses = changes.active === false || (changes.role !== undefined && changes.role !== "administrator");
      if (loses && (await isBreakGlass(db, { staffId: id, exchangeId }))) return keptForEmergencies(String(id));
      const refused = await updateStaffAccount(db, { exchangeId, id, changes });
      if (refused) return refused;
      if (changes.active === false) await endSessionsOf(db, id);
      return {};
    },
  }),

  "staff.resetPassword": operation({
    right: "manage-staff",
    fresh: true,
    apart: true,
    parameters: Type.Object({ id: id() }),
    async handle({ id }, context) {
      const shown = newPassword(16);
      const password = await context.passwords.hash(shown);
      if (isRefused(password)) return password;
      const { exchangeId } = context;
      return context.record(async (context) => {
        const found = await accountOf(context, id);
        if ("refused" in found) return found;
        const { email } = found;
        await setStaffPassword(context.db, { exchangeId, email, password, mustChangePassword: true });
        return { email, password: shown };
      });
    },
  }),

  "staff.resetTotp": operation({
    right: "manage-staff",
    fresh: true,
    parameters: Type.Object({ id: id() }),
    async handle({ id }, context) {
      const found = await accountOf(context, id);
      if ("refused" in found) return found;
      await dropTotpSecret(context.db, id);
      return {};
    },
  }),

  "staff.endSessions": operation({
    right: "manage-staff",
    parameters: Type.Object({ id: id() }),
    async handle({ id }, context) {
      const found = await accountOf(context, id);
      if ("refused" in found) return found;
      await endSessionsOf(context.db, id, context.staff.sessionId);
      return {};
    },
  }),

  "staff.delete": operation({
    right: "manage-staff",
    parameters: Type.Object({ id: id() }),
    async handle({ id }, context) {
      if (id === context.staff.id) return { refused: "yourself" } as const;
      const found = await accountOf(context, id);
      if ("refused" in found) return found;
      const { exchangeId } = context;
      if (await isBreakGlass(context.db, { staffId: id, exchangeId })) return keptForEmergencies(found.email);
      return context.db.transaction(async (db) => {
        if (await isLastAdministrator(db, exchangeId, id)) return { refused: "last-administrator" } as const;
        await deleteStaffAccount(db, exchangeId, found.email);
        return {};
      });
    },
  }),

  "audit.list": operation({
    right: "read-audit",
    reads: true,
    parameters: Type.Object({
      ...pageFields,
      about: text(),
      who: Type.Optional(text()),
      kind: Type.Optional(Type.Enum([...AUDIT_KINDS])),
      from: Type.Optional(moment()),
      before: Type.Optional(moment()),
    }),
    handle: ({ about, who, kind, from, before, ...page }, { db, exchangeId }) =>
      searchAuditLines(db, exchangeId, {
        ...page,
        about,
        dids: operationsAbout(about),
        who: who || undefined,
        begin: kind && auditKinds[kind].begin,
        from: from === undefined ? undefined : new Date(from),
        before: before === undefined ? undefined : new Date(before),
      }),
  }),
};

const keptForEmergencies = (which: string) =>
  ({ refused: "in-use", what: "staff account", which, by: { noun: "single sign-on", which: "" } }) as const;

async function accountOf(
  { db, exchangeId }: ConsoleContext,
  id: number,
): Promise<{ email: string } | Extract<ConsoleRefusal, { refused: "not-found" }>> {
  const email = await emailOf(db, exchangeId, id);
  return email === undefined ? { refused: "not-found", what: "staff account", which: String(id) } : { email };
}
