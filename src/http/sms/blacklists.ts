// The blacklist over the SMS API, in both of its documented shapes.

import { Type } from "typebox";
import { turn } from "../../in-turns.ts";
import { type Phone, readPhoneList } from "../../sms/phone.ts";
import { offsetStamp } from "../../sms/stamp.ts";
import { addToBlacklist, listBlacklist, removeFromBlacklist } from "../../store/sms-blacklist.ts";
import { json, OK, type RefusedAnswer, refuse } from "../door/answer.ts";
import { body, limit } from "../door/guards.ts";
import { account, smsEndpoint } from "./account.ts";
import { list, readPage } from "./asked.ts";
import { credentials, paging } from "./reference.ts";

/** In one request: more than any list that somebody keeps, and no longer than it takes to answer. */
const MOST_PHONES = 100_000;
const ENOUGH = MOST_PHONES + 1;
/** Others have their turn after so many. */
const READ_AT_ONCE = 1_000;
const WRITTEN_AT_ONCE = 10_000;

export const listBlacklisted = smsEndpoint({
  methods: ["GET"],
  paths: ["/v2/blacklists"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "Numbers that get no messages",
  parameters: Type.Object({ ...credentials, ...paging }),
  example: {
    total: 1,
    records: [{ created_at: "2019-11-25T11:13:24.988+03:00", phone: "905444876543", source: "ret_web" }],
  },
  reply: "json",
  async handle(sent, { db, account }) {
    const page = readPage(sent);
    if ("wrong" in page) return refuse(page.wrong);
    const { total, records } = await listBlacklist(db, account.exchangeId, page);
    const rows = records.map(({ createdAt, phone, source }) => ({
      created_at: offsetStamp(createdAt, account.timeZone),
      phone,
      source,
    }));
    return json({ total, records: rows });
  },
});

export const blacklist = smsEndpoint({
  methods: ["POST"],
  paths: ["/v2/blacklists"],
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "Add numbers to the blacklist",
  parameters: Type.Object({
    ...credentials,
    phones: Type.Optional(Type.String({ description: "comma-separated" })),
    phone: Type.Optional(Type.String()),
  }),
  example: "OK",
  refusals: [
    { refused: "bad-phone", phone: "123456" },
    { refused: "list-too-long", field: "phones" },
  ],
  reply: "text",
  async handle(sent, { db, clock, account }) {
    const phones = await readPhones([...list(sent, "phones", ENOUGH), ...list(sent, "phone", ENOUGH)]);
    if ("says" in phones) return phones;
    const added = { exchangeId: account.exchangeId, source: "api", now: new Date(clock.wall()) } as const;
    await db.transaction(async (db) => {
      for (let at = 0; at < phones.length; at += WRITTEN_AT_ONCE)
        await addToBlacklist(db, { ...added, phones: phones.slice(at, at + WRITTEN_AT_ONCE) });
    });
    return OK;
  },
});

export const unblacklist = smsEndpoint({
  methods: ["DELETE"],
  paths: ["/v2/blacklists/*"],
  shownPath: "/v2/blacklists/:phones",
  guards: [account, limit("smsOther"), body],
  group: "SMS",
  summary: "Take numbers off the blacklist (comma-separated, in the path)",
  parameters: Type.Object(credentials),
  example: "OK",
  refusals: [
    { refused: "bad-phone", phone: "123456" },
    { refused: "not-blacklisted", phones: "<phones>" },
  ],
  reply: "text",
  async handle(sent, { db, account }) {
    const phones = await readPhones(list(sent, "*", ENOUGH));
    if ("says" in phones) return phones;
    const removed = await removeFromBlacklist(db, account.exchangeId, phones);
    return removed ? OK : refuse({ refused: "not-blacklisted", phones: phones.join(",") });
  },
});

async function readPhones(written: readonly string[]): Promise<string[] | RefusedAnswer> {
  if (written.length > MOST_PHONES) return refuse({ refused: "list-too-long", field: "phones" });
  const numbers: string[] = [];
  for (let at = 0; at < written.length; at += READ_AT_ONCE) {
    if (at > 0) await turn();
    const read = readPhoneList(written.slice(at, at + READ_AT_ONCE));
    if ("invalid" in read) return refuse({ refused: "bad-phone", phone: read.invalid });
    numbers.push(...read.phones.map(({ number }: Phone) => number));
  }
  return numbers.length === 0 ? refuse({ refused: "bad-phone", phone: "" }) : numbers;
}
