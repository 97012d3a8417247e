// The phone menu of an extension's mailbox. First its messages, new ones before old: 1 again, 2 next, 3 delete, # enough;
// then 1 hears them once more, 2 leads to its greeting, and anything else ends.

import { timingSafeEqual } from "node:crypto";
import type { Sound } from "../../../media/engine.ts";
import {
  deleteMessage,
  findMailbox,
  type HeardMessage,
  type Mailbox,
  messagesOf,
  openPin,
} from "../../../store/mailboxes.ts";
import { countPin, hearsPins } from "../../../store/pin-tries.ts";
import { markVoicemailRead } from "../../../store/voicemail.ts";
import type { Led } from "../../calls/call.ts";
import { leadToOwnGreeting } from "./own-greeting.ts";
import { asked, KEY_MS, say, spoken } from "./spoken.ts";
import { BEEP, type MailboxGuide } from "./take-message.ts";

const PIN_ATTEMPTS = 3;
const MOST_ROUNDS = 20;

export async function leadToOwnMessages(guide: MailboxGuide, number: string): Promise<Led> {
  const { call, has, book } = guide;
  const mailbox = await findMailbox(has.db, book.settings.id, number);
  if (!mailbox) return { failed: { cause: "NO_ROUTE_DESTINATION" } };
  call.tell({ is: "hears-messages" });
  await guide.attendant().accept();
  if (!(await knowsPin(guide, mailbox))) return { failed: { cause: "CALL_REJECTED" } };
  await hearAll(guide, mailbox);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const key = await asked(guide, mailbox, ({ choices }) => choices);
    if (key !== "1" && key !== "2") break;
    await (key === "1" ? hearAll(guide, mailbox) : leadToOwnGreeting(guide, number));
  }
  return { failed: { cause: "NORMAL_CLEARING" } };
}

async function hearAll(guide: MailboxGuide, mailbox: Mailbox): Promise<void> {
  const messages = await messagesOf(guide.has.db, mailbox.extensionId);
  const unread = messages.filter((message) => message.unread).length;
  await say(guide, mailbox, ({ summary }) => summary(unread, messages.length - unread));
  for (const message of messages) if ((await hear(guide, mailbox, message)) === "enough") return;
  if (messages.length > 0) await say(guide, mailbox, ({ noMore }) => noMore);
}

/** Without a PIN the phone itself is the proof: it has logged in as this extension. One that cannot be opened fits nobody. */
async function knowsPin(guide: MailboxGuide, mailbox: Mailbox): Promise<boolean> {
  const pin = openPin(guide.has.secrets, guide.book.settings.id, mailbox);
  if (pin === null) return true;
  if (typeof pin !== "string") {
    guide.call.tell({ is: "pin-sealed" });
    return false;
  }
  const whose = () => ({
    exchangeId: guide.book.settings.id,
    extensionId: mailbox.extensionId,
    nowMs: guide.clock.wall(),
  });
  for (let attempt = 0; attempt < PIN_ATTEMPTS; attempt++) {
    if (!(await hearsPins(guide.has.db, whose()))) {
      guide.call.tell({ is: attempt === 0 ? "pins-closed" : "wrong-pin" });
      return false;
    }
    const sounds = await spoken(guide, mailbox, ({ askPin }) => askPin);
    const { digits } = await guide.attendant().collect({
      sounds: [...sounds, BEEP],
      most: pin.length,
      firstMs: KEY_MS,
      betweenMs: KEY_MS,
      endKey: "#",
    });
    if (digits === "") continue;
    const isRight = digits.length === pin.length && timingSafeEqual(Buffer.from(digits), Buffer.from(pin));
    if (await countPin(guide.has.db, { ...whose(), isRight })) return true;
  }
  guide.call.tell({ is: "wrong-pin" });
  return false;
}

async function hear(guide: MailboxGuide, mailbox: Mailbox, message: HeardMessage): Promise<"next" | "enough"> {
  const { extensionId, number } = mailbox;
  const { db, voicemail } = guide.has;
  // A telephone number is not an amount.
  const digitByDigit = [...message.callerIdNumber].join(" ");
  const from = await spoken(guide, mailbox, ({ messageFrom }) => messageFrom(digitByDigit));
  const words: Sound = { is: "file", path: await voicemail.toPlay(message.objectKey) };
  for (;;) {
    const { digits } = await guide.attendant().collect({
      sounds: [...from, words, BEEP],
      most: 1,
      firstMs: KEY_MS,
      betweenMs: KEY_MS,
    });
    await markVoicemailRead(db, guide.book.settings.id, message.uuid);
    if (digits === "#") return "enough";
    if (digits === "3") {
      await deleteMessage(db, extensionId, message.uuid);
      guide.call.tell({ is: "deleted-message", mailbox: number });
      await say(guide, mailbox, ({ deleted }) => deleted);
    }
    if (digits !== "1") return "next";
  }
}
