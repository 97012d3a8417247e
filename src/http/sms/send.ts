// Sending, cancelling and one-time codes over the SMS API.

import { Type } from "typebox";
import { openTurns } from "../../in-turns.ts";
import { isTooLong, LONGEST_WRITTEN } from "../../sms/coding.ts";
import { MOST_MESSAGES, type Order, type OrderedMessage } from "../../sms/order.ts";
import { cancelCampaign } from "../../store/sms-campaigns.ts";
import { type RefusedAnswer, refuse, text as say, type TextAnswer } from "../door/answer.ts";
import { body, limit, urlUpTo } from "../door/guards.ts";
import type { Sent } from "../parameters/sent.ts";
import { account, type SmsContext, smsEndpoint } from "./account.ts";
import { flag, isClean, list, text, textOf, texts, wholeNumber } from "./asked.ts";
import { credentials, submitRefusals } from "./reference.ts";

const ENOUGH = MOST_MESSAGES + 1;
/** Others have their turn after so many numbers and ids, or after so many letters, of which an id counts for a few. */
const ENTRIES_AT_ONCE = 2_000;
const LETTERS_AT_ONCE = 100_000;
const LETTERS_AN_ENTRY = 20;
const LONGEST_GET_URL = 8_177;
const LONGEST_CUSTOM_ID = 255;

const sendParameters = {
  source_addr: Type.Optional(Type.String({ description: "sender title; empty means the first one registered" })),
  valid_for: Type.Optional(Type.String({ description: "H:MM, from 00:01 to 48:00", default: "24:00" })),
  send_at: Type.Optional(Type.String({ description: "YYYY-MM-DD HH:MM:SS or ISO 8601; empty means now" })),
  custom_id: Type.Optional(Type.String({ description: "the sender's own id of the campaign" })),
  datacoding: Type.Optional(Type.Integer({ minimum: 0, maximum: 2, description: "0 GSM, 1 Turkish, 2 Unicode" })),
  is_commercial: Type.Optional(Type.Boolean()),
  iys_recipient_type: Type.Optional(Type.Enum(["BIREYSEL", "TACIR"])),
};

export const sendMany = smsEndpoint({
  methods: ["POST"],
  paths: ["/v2/send"],
  shownPath: "/v2/send.json",
  guards: [account, limit("smsSend"), body],
  group: "SMS",
  summary: "Send messages (documented as /v2/send.json)",
  parameters: Type.Object({
    ...credentials,
    messages: Type.Array(
      Type.Object({
        dest: Type.String({ description: "numbers, comma-separated" }),
        msg: Type.String(),
        id: Type.Optional(Type.String({ description: "own ids, as many as numbers" })),
        iys_recipient_type: Type.Optional(Type.Enum(["BIREYSEL", "TACIR"])),
      }),
    ),
    ...sendParameters,
    add_ret: Type.Optional(Type.Boolean({ description: "append the title's opt-out line" })),
  }),
  example: "20212",
  refusals: submitRefusals,
  reply: "text",
  handle: async (sent, context) =>
    submit(context, { ...(await readOrder(sent)), addOptOut: flag(text(sent, "add_ret")) }),
});

export const sendOne = smsEndpoint({
  methods: ["GET"],
  paths: ["/v2/send"],
  guards: [urlUpTo(LONGEST_GET_URL), account, limit("smsSend"), body],
  group: "SMS",
  summary: "Send one text",
  parameters: Type.Object({ ...credentials, dest: Type.String(), msg: Type.String(), ...sendParameters }),
  example: "20210",
  refusals: submitRefusals,
  reply: "text",
  handle: async (sent, context) => submit(context, await readOrder(sent)),
});

async function submit({ orders, account, limit }: SmsContext, order: Order): Promise<TextAnswer | RefusedAnswer> {
  if (!(await isCleanOrder(order))) return refuse({ refused: "unreadable", what: "utf8" });
  if ((order.customId?.length ?? 0) > LONGEST_CUSTOM_ID) return refuse({ refused: "id-too-long", field: "custom_id" });
  const sent = await orders.send(account, order, limit);
  return "refused" in sent ? refuse({ refused: "sms", code: sent.refused }) : say(sent.campaignId);
}

async function isCleanOrder({ messages, customId, source }: Order): Promise<boolean> {
  const turns = openTurns(LETTERS_AT_ONCE);
  for (const { text, ids } of messages) {
    // What is too long is refused for that, and not read.
    if (!isTooLong(text) && !isClean(text)) return false;
    if (!isClean(...ids)) return false;
    const others = turns(Math.min(text.length, LONGEST_WRITTEN) + ids.length * LETTERS_AN_ENTRY);
    if (others) await others;
  }
  return isClean(customId, source);
}

async function readOrder(sent: Sent): Promise<Order> {
  return {
    source: text(sent, "source_addr"),
    messages: await readMessages(sent),
    validFor: text(sent, "valid_for"),
    sendAt: text(sent, "send_at"),
    customId: text(sent, "custom_id"),
    coding: text(sent, "datacoding"),
    commercial: flag(text(sent, "is_commercial")),
    recipientType: text(sent, "iys_recipient_type"),
  };
}

/** An array of messages, one message that nobody put into an array, or `dest` and `msg` at the top. */
async function readMessages(sent: Sent): Promise<OrderedMessage[]> {
  const given = sent.get("messages");
  if (given) return readGiven(given);
  const dests = list(sent, "dest", ENOUGH);
  const msg = sent.get("msg")?.at(-1);
  if (dests.length === 0 && msg === undefined) return [];
  return [{ dests, ids: [], text: asText(msg) }];
}

/** No further than it takes to see that they are too many. */
async function readGiven(given: readonly unknown[]): Promise<OrderedMessage[]> {
  const messages: OrderedMessage[] = [];
  const turns = openTurns(ENTRIES_AT_ONCE);
  let count = 0;
  for (const value of given) {
    if (typeof value !== "object" || value === null) continue;
    const { dest, msg, id, iys_recipient_type: recipientType } = value as Record<string, unknown>;
    const dests = texts(dest, ENOUGH);
    const ids = texts(id, ENOUGH);
    messages.push({ dests, ids, text: asText(msg), recipientType: textOf(recipientType) });
    count += Math.max(1, dests.length);
    if (count > MOST_MESSAGES) break;
    const others = turns(1 + dests.length + ids.length);
    if (others) await others;
  }
  return messages;
}

/** Unlike every other parameter a text is taken as it stands, blanks and all. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : (textOf(value) ?? "");
}

export const cancel = smsEndpoint({
  methods: ["POST"],
  paths: ["/v2/cancel/:id"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "Cancel a scheduled campaign",
  parameters: Type.Object({ id: Type.String(), ...credentials }),
  example: "Kampanya silindi: 20121",
  refusals: [{ refused: "no-such-sending", id: "<id>" }],
  reply: "text",
  async handle(sent, { db, clock, account }) {
    const written = text(sent, "id") ?? "";
    const id = wholeNumber(written, 0, { least: 1, most: Number.MAX_SAFE_INTEGER });
    const cancelled = id && (await cancelCampaign(db, account.id, id, new Date(clock.wall())));
    return cancelled ? say(`Kampanya silindi: ${id}`) : refuse({ refused: "no-such-sending", id: written });
  },
});

const CODE_TEXTS: Readonly<Record<string, string>> = {
  tr: "Doğrulama kodunuz: {code}",
  en: "Your verification code: {code}",
};
const LONGEST_CODE_ID = 50;

export const sendCode = smsEndpoint({
  methods: ["POST"],
  paths: ["/v2/otp"],
  guards: [account, limit("smsSend"), body],
  group: "SMS",
  summary: "Send a one-time code to one number",
  parameters: Type.Object({
    ...credentials,
    header: Type.Optional(Type.String({ description: "sender title" })),
    dest: Type.String(),
    code: Type.Optional(Type.String()),
    msg: Type.Optional(Type.String({ description: "may hold {code}" })),
    lang: Type.Optional(Type.Enum(["tr", "en"])),
    custom_id: Type.Optional(Type.String({ maxLength: LONGEST_CODE_ID })),
    datacoding: sendParameters.datacoding,
  }),
  example: "20212",
  refusals: [
    { refused: "sms", code: "MULTIPLE_DESTINATION_NOT_ALLOWED" },
    { refused: "sms", code: "MISSING_CODE_OR_MESSAGE" },
    { refused: "sms", code: "MISSING_CODE" },
    ...submitRefusals,
  ],
  reply: "text",
  async handle(sent, context) {
    const dests = list(sent, "dest", 2);
    if (dests.length > 1) return refuse({ refused: "sms", code: "MULTIPLE_DESTINATION_NOT_ALLOWED" });
    const written = codeMessage(sent);
    if ("wrong" in written) return refuse({ refused: "sms", code: written.wrong });
    const customId = text(sent, "custom_id");
    if ((customId?.length ?? 0) > LONGEST_CODE_ID) return refuse({ refused: "id-too-long", field: "custom_id" });
    const source = text(sent, "header") ?? text(sent, "source_addr");
    const messages = [{ dests, ids: [], text: written.text }];
    return submit(context, { source, messages, customId, coding: text(sent, "datacoding") });
  },
});

type CodeFault = "MISSING_CODE" | "MISSING_CODE_OR_MESSAGE" | "MESSAGE_TOO_LONG";

function codeMessage(sent: Sent): { text: string } | { wrong: CodeFault } {
  const code = text(sent, "code");
  const message = text(sent, "msg");
  if (code === undefined && message === undefined) return { wrong: "MISSING_CODE_OR_MESSAGE" };
  const words = message ?? CODE_TEXTS[text(sent, "lang")?.toLowerCase() ?? "tr"] ?? CODE_TEXTS.tr!; // stands in the table
  // As long as it will be is known before it is made: a code may come into a text very many times.
  const rest = words.split(PLACE, LONGEST_WRITTEN);
  if (rest.length > 1 && code === undefined) return { wrong: "MISSING_CODE" };
  const length = words.length + (rest.length - 1) * ((code?.length ?? 0) - PLACE.length);
  return length > LONGEST_WRITTEN ? { wrong: "MESSAGE_TOO_LONG" } : { text: rest.join(code ?? "") };
}

const PLACE = "{code}";
