// Takes a message: the greeting, a beep, the caller's words until he falls silent, hangs up or presses the hash key.

import type { Sound } from "../../../media/engine.ts";
import { findMailbox, type Mailbox } from "../../../store/mailboxes.ts";
import type { Led } from "../../calls/call.ts";
import type { Guide } from "../../lead/guide.ts";
import { spoken } from "./spoken.ts";
import { type MailboxNeeds, messageName } from "./voicemail.ts";

export type MailboxGuide = Guide<MailboxNeeds>;

export const BEEP: Sound = { is: "tone", spec: "1000/400" };

/** Shorter than this somebody only heard the beep and hung up. */
export const SHORTEST_MESSAGE_MS = 1_000;
const SILENCE_MS = 6_000;

export async function leadToVoicemail(guide: MailboxGuide, number: string): Promise<Led> {
  const { call, book } = guide;
  const { db, voicemail } = guide.has;
  const mailbox = await findMailbox(db, book.settings.id, number);
  if (!mailbox) {
    call.tell({ is: "no-such", what: "mailbox", which: number });
    return { failed: { cause: "NO_ROUTE_DESTINATION" } };
  }
  call.tell({ is: "asked-for-message", mailbox: number });
  const line = guide.attendant();
  await line.answer();
  // Whoever hangs up from here on was not answered; he did not give up.
  call.note({ lastCause: call.facts.lastCause ?? "NO_ANSWER" });
  await line.play([...(await greetingOf(guide, mailbox)), BEEP]);
  const { durationMs, path, fault } = await line.record({
    folder: voicemail.folder,
    name: messageName(call.facts.uuid),
    maxMs: mailbox.maxSeconds * 1_000,
    silenceMs: SILENCE_MS,
    stopKeys: "#",
  });
  if (fault) call.tell({ is: "recording-failed", step: fault.step, code: fault.code });
  const kept = durationMs >= SHORTEST_MESSAGE_MS;
  if (kept) await voicemail.keep({ mailbox, facts: call.facts, durationMs, path });
  else await voicemail.discard(path);
  call.tell(kept ? { is: "message", seconds: Math.round(durationMs / 1_000) } : { is: "no-message" });
  return { failed: { cause: "NORMAL_CLEARING" } };
}

/** The owner's own recording, else his sound, else his own words spoken, else the usual sentence. */
export async function greetingOf(guide: MailboxGuide, mailbox: Mailbox): Promise<Sound[]> {
  if (mailbox.greetingObjectKey !== null)
    return [{ is: "file", path: await guide.has.voicemail.toPlay(mailbox.greetingObjectKey) }];
  const own = mailbox.greetingAnnouncementId === null ? undefined : await guide.sound(mailbox.greetingAnnouncementId);
  if (own) return [own];
  return spoken(guide, mailbox, ({ greeting }) => mailbox.greetingText ?? greeting);
}
