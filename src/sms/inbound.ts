// Messages from handsets: stored once, pushed to the customer, and obeyed at once when they say IPTAL.

import type { Clock } from "../clock.ts";
import { knownConsents, ledgerKey, writeLedger, writeRecords } from "../store/consents.ts";
import type { Db } from "../store/db.ts";
import { listSmsAccounts } from "../store/sms-accounts.ts";
import { addToBlacklist } from "../store/sms-blacklist.ts";
import { keepInboundPart, writeInbound } from "../store/sms-inbound.ts";
import { type Title, titlesAnsweringTo } from "../store/sms-titles.ts";
import type { ArrivedMessage } from "./carrier.ts";
import { countMessage } from "./coding.ts";
import { RECIPIENT_TYPES } from "./consent.ts";
import { isOptOut, OPT_OUT_REPLY } from "./opt-out.ts";
import { type Phone, readPhone } from "./phone.ts";
import { write } from "./send.ts";

export type Arrival = { db: Db; clock: Clock; exchangeId: number; carrierId: number };

/** All in one transaction, so that a carrier that repeats itself after a crash finds it either done or not begun. */
export async function receiveMessage(arrival: Arrival, message: ArrivedMessage): Promise<void> {
  await arrival.db.transaction(async (db) => {
    const content = message.part ? await keepPart({ ...arrival, db }, message) : message.text;
    if (content !== undefined) await storeWhole({ ...arrival, db }, message, content);
  });
}

function keepPart({ db, clock, carrierId }: Arrival, message: ArrivedMessage): Promise<string | undefined> {
  const { reference, number, count } = message.part!; // the caller has seen it
  const { from: sourceAddr, to: destinationAddr, text: content } = message;
  const now = new Date(clock.wall());
  return keepInboundPart(db, {
    carrierId,
    sourceAddr,
    destinationAddr,
    reference,
    part: number,
    parts: count,
    content,
    now,
  });
}

async function storeWhole(arrival: Arrival, message: ArrivedMessage, content: string): Promise<void> {
  const { db, clock, exchangeId } = arrival;
  const phone = readPhone(message.from);
  const stored = await writeInbound(db, {
    exchangeId,
    now: new Date(clock.wall()),
    receivedAt: new Date(message.receivedAtMs),
    network: message.network,
    sourceAddr: phone?.number ?? message.from,
    destinationAddr: message.to,
    keyword: "",
    content,
    onceKey: message.onceKey,
  });
  if (stored !== undefined && phone && isOptOut(content)) await optOut(arrival, phone, message.to);
}

/** Whoever opts out of a short code opts out of the titles that name it: no more messages, and the ledger says so. */
async function optOut({ db, clock, exchangeId }: Arrival, phone: Phone, shortCode: string): Promise<void> {
  const now = new Date(clock.wall());
  const titles = await titlesAnsweringTo(db, exchangeId, shortCode);
  if (titles[0]) await reply(db, { exchangeId, title: titles[0], phone, now });
  await addToBlacklist(db, { exchangeId, phones: [phone.number], source: "sms", now });
  for (const { id: titleId, iysBrandCode } of titles) {
    if (iysBrandCode === null) continue;
    const withdrawn = (await heldAs(db, { exchangeId, brandCode: iysBrandCode, phone })).map((recipientType) => ({
      type: "MESAJ",
      source: "HS_MESAJ",
      status: "RET" as const,
      recipientType,
      recipient: phone.number,
      consentedAt: now,
    }));
    await writeLedger(db, { exchangeId, brandCode: iysBrandCode, now }, withdrawn);
    await writeRecords(db, { exchangeId, titleId, campaignId: null, now }, withdrawn);
  }
}

/** As what the ledger knows the number; a stranger is a person. */
async function heldAs(
  db: Db,
  { exchangeId, brandCode, phone }: { exchangeId: number; brandCode: number; phone: Phone },
) {
  const known = await knownConsents(db, exchangeId, brandCode, [phone.number]);
  const types = RECIPIENT_TYPES.filter((recipientType) =>
    known.has(ledgerKey({ type: "MESAJ", recipientType, recipient: phone.number })),
  );
  return types.length > 0 ? types : (["BIREYSEL"] as const);
}

type Reply = { exchangeId: number; title: Title; phone: Phone; now: Date };

/** Written before the number is blacklisted, or it would be refused; without credits nobody is answered. */
async function reply(db: Db, { exchangeId, title, phone, now }: Reply): Promise<void> {
  const [account] = await listSmsAccounts(db, exchangeId);
  const counted = countMessage(OPT_OUT_REPLY, { coding: 0, abroad: phone.abroad });
  if (!account || "refused" in counted) return;
  const letters = [{ dest: phone, customId: null, counted, multiplier: 1, commercialType: null, lacksOptOut: false }];
  const checked = { title, sendAt: now.getTime(), later: false, validMinutes: 24 * 60, commercial: false, letters };
  await write(db, { account, checked, now });
}
