// SMS: sending, what became of it, titles, numbers that want none, consents, and what came in.

import { Type } from "typebox";
import { smsAccount } from "../../../nouns/sms-account.ts";
import { smsTitle } from "../../../nouns/sms-title.ts";
import { countMessage } from "../../../sms/coding.ts";
import { CONSENT_SOURCES, CONSENT_STATUSES, CONSENT_TYPES, RECIPIENT_TYPES } from "../../../sms/consent.ts";
import { uploadConsents } from "../../../sms/consent-desk.ts";
import { readPhone } from "../../../sms/phone.ts";
import { send } from "../../../sms/send.ts";
import { listConsentCampaigns, readConsentCampaign } from "../../../store/consent-campaigns.ts";
import { offsetOf } from "../../../store/page.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { listSmsAccounts, renewSmsPassword, type SmsAccount, updateSmsAccount } from "../../../store/sms-accounts.ts";
import { addToBlacklist, listBlacklist, removeFromBlacklist } from "../../../store/sms-blacklist.ts";
import { cancelCampaign } from "../../../store/sms-campaigns.ts";
import { type Span, searchCampaigns, searchInbound, searchMessages } from "../../../store/sms-search.ts";
import { MESSAGE_STATES, statusWord } from "../../../store/sms-state.ts";
import { findCampaign } from "../../../store/sms-status.ts";
import { createTitle, listTitles } from "../../../store/sms-titles.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";
import { checkedChanges } from "./checked-changes.ts";
import { id, lines, moment, name, nothing, pageFields, text } from "./fields.ts";
import { changesSchema, optionalSchemas } from "./noun-schema.ts";

const MEBIBYTE = 1024 * 1024;
const phones = Type.Array(name(32), { minItems: 1, maxItems: 50_000 });
const coding = Type.Enum(["auto", "gsm", "turkish", "unicode"]);
const codings = { auto: undefined, gsm: 0, turkish: 1, unicode: 2 } as const;

const span = { from: Type.Optional(moment()), before: Type.Optional(moment()) };

function spanOf({ from, before }: { from?: string; before?: string }): Span {
  return {
    from: from === undefined ? undefined : new Date(from),
    before: before === undefined ? undefined : new Date(before),
  };
}

async function accountOf({ db, exchangeId }: ConsoleContext): Promise<SmsAccount | ConsoleRefusal> {
  const [account] = await listSmsAccounts(db, exchangeId);
  return account ?? { refused: "no-sms-account" };
}

export const messages = {
  "sms.overview": operation({
    right: "see-messages",
    reads: true,
    parameters: nothing,
    async handle(_, context) {
      const { db, exchangeId } = context;
      const [titles, accounts] = await Promise.all([listTitles(db, exchangeId), listSmsAccounts(db, exchangeId)]);
      const shown = accounts.map(({ id, username, credits, reserved, international, pushUrl, ...account }) => ({
        id,
        username,
        credits,
        reserved,
        international,
        pushUrl,
        consentPushUrl: account.consentPushUrl,
        allowedAddresses: account.allowedAddresses,
        lowCredits: account.lowCredits,
        lowCreditsPhone: account.lowCreditsPhone,
        optOutMissing: account.optOutMissing,
      }));
      return { titles, accounts: shown };
    },
  }),

  "sms.count": operation({
    right: "see-messages",
    reads: true,
    parameters: Type.Object({ text: lines(10_000), coding }),
    async handle({ text, coding }) {
      const counted = countMessage(text, { coding: codings[coding], abroad: false });
      return "refused" in counted
        ? ({ refused: "sms", code: counted.refused } as const)
        : { coding: counted.coding, units: counted.units, parts: counted.size };
    },
  }),

  "sms.send": operation({
    right: "send-messages",
    longestBody: 10 * MEBIBYTE,
    parameters: Type.Object({
      title: text(11),
      phones,
      text: lines(10_000, 1),
      coding,
      sendAt: Type.Optional(moment()),
      commercial: Type.Boolean(),
      recipientType: Type.Enum([...RECIPIENT_TYPES]),
      addOptOut: Type.Optional(Type.Boolean()),
    }),
    async handle({ title, phones, text, coding, sendAt, commercial, recipientType, addOptOut }, context) {
      const account = await accountOf(context);
      if ("refused" in account) return account;
      const sent = await send(context.db, context.clock, account, {
        source: title,
        messages: [{ dests: phones, ids: [], text }],
        coding: codings[coding]?.toString(),
        sendAt,
        commercial,
        recipientType: commercial ? recipientType : undefined,
        addOptOut,
      });
      return "refused" in sent ? ({ refused: "sms", code: sent.refused } as const) : sent;
    },
  }),

  "sms.campaigns": operation({
    right: "see-messages",
    reads: true,
    parameters: Type.Object({ ...pageFields, ...span, title: text(11) }),
    async handle(wanted, { db, exchangeId }) {
      const { rows, total } = await searchCampaigns(db, exchangeId, { ...wanted, ...spanOf(wanted) });
      return { rows: rows.map(({ counts, ...campaign }) => ({ ...campaign, counts: byWord(counts) })), total };
    },
  }),

  "sms.campaign": operation({
    right: "see-messages",
    reads: true,
    parameters: Type.Object({ id: id(), ...pageFields, dest: text(32), status: text(64) }),
    async handle({ id, status, ...wanted }, context) {
      const account = await accountOf(context);
      if ("refused" in account) return account;
      const campaign = await findCampaign(context.db, { accountId: account.id, id });
      if (campaign?.accountId !== account.id)
        return { refused: "not-found", what: "campaign", which: String(id) } as const;
      const states = status === "" ? [] : MESSAGE_STATES.filter((state) => statusWord(state) === status);
      const { rows, total } = await searchMessages(context.db, id, { ...wanted, states });
      return { rows: rows.map(({ state, ...message }) => ({ ...message, status: statusWord(state) })), total };
    },
  }),

  "sms.cancel": operation({
    right: "send-messages",
    parameters: Type.Object({ id: id() }),
    async handle({ id }, context) {
      const account = await accountOf(context);
      if ("refused" in account) return account;
      const cancelled = await cancelCampaign(context.db, account.id, id, new Date(context.clock.wall()));
      return cancelled ? {} : ({ refused: "not-found", what: "campaign", which: String(id) } as const);
    },
  }),

  "sms.createTitle": operation({
    right: "set-up",
    parameters: Type.Object({ name: name(11), ...optionalSchemas(smsTitle) }),
    async handle({ name, ...changes }, { db, exchangeId }) {
      const checked = await checkedChanges(smsTitle, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const made = await createTitle(db, exchangeId, { ...checked.kept, name });
      return isRefusal(made) ? made : { id: made.id };
    },
  }),

  "sms.inbox": operation({
    right: "see-messages",
    reads: true,
    parameters: Type.Object({ ...pageFields, ...span, about: text() }),
    handle: (wanted, { db, exchangeId }) => searchInbound(db, exchangeId, { ...wanted, ...spanOf(wanted) }),
  }),

  "sms.blacklist": operation({
    right: "see-messages",
    reads: true,
    parameters: Type.Object(pageFields),
    async handle(page, { db, exchangeId }) {
      const { records: rows, total } = await listBlacklist(db, exchangeId, { offset: offsetOf(page), ...page });
      return { rows, total };
    },
  }),

  "sms.addToBlacklist": operation({
    right: "send-messages",
    parameters: Type.Object({ phones }),
    async handle({ phones }, { db, exchangeId, clock }) {
      const read = phones.map((phone) => readPhone(phone)?.number);
      const wrong = read.indexOf(undefined);
      if (wrong >= 0) return { refused: "invalid-destination", destination: phones[wrong] ?? "" } as const;
      const numbers = read.filter((number) => number !== undefined);
      await addToBlacklist(db, { exchangeId, phones: numbers, source: "manual", now: new Date(clock.wall()) });
      return {};
    },
  }),

  "sms.removeFromBlacklist": operation({
    right: "send-messages",
    parameters: Type.Object({ phone: name(32) }),
    async handle({ phone }, { db, exchangeId }) {
      const removed = await removeFromBlacklist(db, exchangeId, [phone]);
      return removed ? {} : ({ refused: "not-found", what: "number", which: phone } as const);
    },
  }),

  "sms.consentCampaigns": operation({
    right: "see-messages",
    reads: true,
    parameters: Type.Object(pageFields),
    async handle(page, { db, exchangeId }) {
      const wanted = { offset: offsetOf(page), ...page, source: undefined };
      const { records: rows, total } = await listConsentCampaigns(db, exchangeId, wanted);
      return { rows, total };
    },
  }),

  "sms.consentsOf": operation({
    right: "see-messages",
    reads: true,
    parameters: Type.Object({ id: id(), ...pageFields }),
    async handle({ id, ...page }, { db, exchangeId }) {
      const found = await readConsentCampaign(db, exchangeId, id, { offset: offsetOf(page), ...page });
      if (!found) return { refused: "not-found", what: "campaign", which: String(id) } as const;
      return { rows: found.records, total: found.total };
    },
  }),

  "sms.uploadConsents": operation({
    right: "send-messages",
    longestBody: 10 * MEBIBYTE,
    parameters: Type.Object({
      title: name(11),
      type: Type.Enum([...CONSENT_TYPES]),
      status: Type.Enum([...CONSENT_STATUSES]),
      recipientType: Type.Enum([...RECIPIENT_TYPES]),
      source: Type.Enum([...CONSENT_SOURCES]),
      date: name(32),
      recipients: Type.Array(name(255), { minItems: 1, maxItems: 50_000 }),
    }),
    async handle({ title, recipients, ...consent }, context) {
      const account = await accountOf(context);
      if ("refused" in account) return account;
      const consents = recipients.map((recipient) => ({ ...consent, recipient }));
      const taken = await uploadConsents(context.db, context.clock, account, { source: title, consents });
      return "refused" in taken ? ({ refused: "sms", code: taken.refused } as const) : taken;
    },
  }),

  "sms.updateAccount": operation({
    right: "set-up",
    parameters: Type.Object({
      id: id(),
      changes: changesSchema(smsAccount),
    }),
    async handle({ id, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(smsAccount, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      await updateSmsAccount(db, exchangeId, id, checked.kept);
      return {};
    },
  }),

  "sms.renewPassword": operation({
    right: "set-up",
    fresh: true,
    parameters: Type.Object({ username: name() }),
    async handle({ username }, { db, exchangeId }) {
      const password = await renewSmsPassword(db, exchangeId, username);
      return password === undefined ? ({ refused: "no-sms-account" } as const) : { password };
    },
  }),
};

function byWord(counts: Record<string, number>): Record<string, number> {
  const words: Record<string, number> = {};
  for (const [state, count] of Object.entries(counts)) {
    const word = statusWord(state as Parameters<typeof statusWord>[0]); // states come from their own column
    words[word] = (words[word] ?? 0) + count;
  }
  return words;
}
