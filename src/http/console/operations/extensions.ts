// Extensions and their mailboxes.

import { Type } from "typebox";
import { extension } from "../../../nouns/extension.ts";
import { mailbox } from "../../../nouns/mailbox.ts";
import { newPassword } from "../../../passwords/new-password.ts";
import { isSimplePin } from "../../../passwords/weakness.ts";
import { createExtension, deleteExtension, setExtensionPassword, updateExtension } from "../../../store/extensions.ts";
import { setMailbox } from "../../../store/mailboxes.ts";
import { issuePhoneTicket } from "../../../store/phone-tickets.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { seesExtension } from "../../../store/scope.ts";
import { setupRows } from "../../../store/setup-rows.ts";
import { keepShownPassword } from "../../../store/shown-passwords.ts";
import { issueWebphoneToken } from "../../../store/webphone-tokens.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import { digits, nothing } from "./fields.ts";
import { changesSchema } from "./noun-schema.ts";

const fields = changesSchema(extension);

const number = digits(2, 8);
const notFound = (which: string) => ({ refused: "not-found", what: "extension", which }) as const;

export const extensions = {
  "extensions.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, running }) {
      const rows = await setupRows(db, "extensions", exchangeId);
      const byMd5 = new Set(running?.md5Extensions(exchangeId));
      return rows.map((row) => ({ ...row, byMd5: byMd5.has(row.number) }));
    },
  }),

  "extensions.create": operation({
    right: "set-up",
    fresh: true,
    parameters: Type.Object({ number, changes: fields }),
    async handle({ number, changes }, { db, secrets, exchangeId, tenant }) {
      const checked = await checkedChanges(extension, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const password = newPassword();
      const made = await db.transaction(async (db) => {
        const made = await createExtension(db, { exchangeId, number, password });
        if (isRefusal(made)) return made;
        await updateExtension(db, { exchangeId, number, changes: checked.kept });
        await keepShownPassword(db, secrets, { exchangeId, number, password });
        return made;
      });
      return isRefusal(made) ? made : { number, password, sipDomain: tenant.sipDomain };
    },
  }),

  "extensions.update": operation({
    right: "set-up",
    parameters: Type.Object({ number, changes: fields }),
    async handle({ number, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(extension, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const changed = await updateExtension(db, { exchangeId, number, changes: checked.kept });
      return changed ? {} : notFound(number);
    },
  }),

  "extensions.setDnd": operation({
    right: "use-phone",
    parameters: Type.Object({ number, dnd: Type.Boolean() }),
    async handle({ number, dnd }, { db, exchangeId, extensionStates, scope }) {
      if (!seesExtension(scope, number)) return notFound(number);
      const changed = await updateExtension(db, { exchangeId, number, changes: { dnd } });
      extensionStates.forget((whose) => whose === exchangeId);
      return changed ? {} : notFound(number);
    },
  }),

  "extensions.newPassword": operation({
    right: "set-up",
    fresh: true,
    parameters: Type.Object({ number }),
    async handle({ number }, { db, secrets, exchangeId, tenant }) {
      const password = newPassword();
      const changed = await db.transaction(async (db) => {
        const changed = await setExtensionPassword(db, { exchangeId, number, password });
        if (changed) await keepShownPassword(db, secrets, { exchangeId, number, password });
        return changed;
      });
      return changed ? { number, password, sipDomain: tenant.sipDomain } : notFound(number);
    },
  }),

  "extensions.phoneDoors": operation({
    right: "set-up",
    reads: true,
    parameters: nothing,
    handle: async (_, { running, clientAddress, tenant }) => ({
      sipDomain: tenant.sipDomain,
      doors: running?.sipDoors(clientAddress) ?? [],
    }),
  }),

  "extensions.invitePhone": operation({
    right: "set-up",
    fresh: true,
    parameters: Type.Object({ number, transport: Type.Enum(["udp", "tcp", "tls"]) }),
    async handle({ number, transport }, { db, clock, exchangeId, running, clientAddress, baseUrl, line }) {
      const door = running?.sipDoors(clientAddress).find((it) => it.transport === transport);
      if (!door) return { refused: "not-running" } as const;
      const issued = await issuePhoneTicket(db, { exchangeId, number, door, now: clock.wall() });
      if (!issued) return notFound(number);
      return { url: `${baseUrl(line)}/phone_settings/${issued.ticket}`, expiresAt: issued.expiresAt };
    },
  }),

  "extensions.openWebphone": operation({
    right: "set-up",
    // One's own is at hand anyway.
    fresh: { when: ({ number }, { staff }) => number !== staff.extension },
    parameters: Type.Object({ number }),
    async handle({ number }, { db, clock, exchangeId }) {
      const token = await issueWebphoneToken(db, { exchangeId, extension: number, now: clock.wall() });
      if (typeof token === "string") return { token };
      return token.refused === "no-staff" ? ({ refused: "no-staff", extension: number } as const) : notFound(number);
    },
  }),

  "extensions.delete": operation({
    right: "set-up",
    parameters: Type.Object({ number }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteExtension(db, exchangeId, number)) ?? {},
  }),

  "mailboxes.update": operation({
    right: "set-up",
    parameters: Type.Object({
      number,
      changes: changesSchema(mailbox),
    }),
    async handle({ number, changes }, { db, secrets, exchangeId }) {
      if (changes.pin && isSimplePin(changes.pin, number)) return { refused: "simple-pin", field: "pin" } as const;
      const checked = await checkedChanges(mailbox, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      return (await setMailbox(db, secrets, { exchangeId, number, changes: checked.kept })) ? {} : notFound(number);
    },
  }),
};
