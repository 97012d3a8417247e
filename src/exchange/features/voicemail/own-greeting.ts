// The phone menu in which an extension speaks its own greeting: 1 speaks, 2 plays, 3 goes back to the usual one, # ends.

import { randomUUID } from "node:crypto";
import { findMailbox, type Mailbox } from "../../../store/mailboxes.ts";
import { asked, say } from "./spoken.ts";
import { BEEP, greetingOf, type MailboxGuide } from "./take-message.ts";

const LONGEST_GREETING_MS = 120_000;
/** Shorter than this somebody only tried the key. */
const SHORTEST_GREETING_MS = 1_000;
const SILENCE_MS = 6_000;
const MOST_CHOICES = 20;

export async function leadToOwnGreeting(guide: MailboxGuide, number: string): Promise<void> {
  for (let choice = 0; choice < MOST_CHOICES; choice++) {
    const mailbox = await findMailbox(guide.has.db, guide.book.settings.id, number);
    const key = mailbox ? await asked(guide, mailbox, ({ greetingChoices }) => greetingChoices) : "";
    const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
    if (!mailbox || !act) return;
    await act(guide, mailbox);
  }
}

const acts: Record<string, (guide: MailboxGuide, mailbox: Mailbox) => Promise<void>> = {
  "1": speak,
  "2": async (guide, mailbox) => void (await guide.attendant().play(await greetingOf(guide, mailbox))),
  "3": async (guide, mailbox) => {
    await guide.has.voicemail.dropGreeting(guide.book.settings.id, mailbox);
    guide.call.tell({ is: "greeting", mailbox: mailbox.number, did: "taken-back" });
    await say(guide, mailbox, ({ usualGreeting }) => usualGreeting);
  },
};

/** Until its owner keeps one, callers go on hearing the old one. */
async function speak(guide: MailboxGuide, mailbox: Mailbox): Promise<void> {
  const { voicemail } = guide.has;
  const line = guide.attendant();
  for (;;) {
    await say(guide, mailbox, ({ speakNow }) => speakNow, BEEP);
    const { path, durationMs, fault } = await line.record({
      folder: voicemail.folder,
      name: `greeting-${randomUUID()}.wav`,
      maxMs: LONGEST_GREETING_MS,
      silenceMs: SILENCE_MS,
      stopKeys: "#",
    });
    try {
      if (fault) guide.call.tell({ is: "recording-failed", step: fault.step, code: fault.code });
      // One that cannot be written now would only be asked for again and again.
      const tooShort = fault ? "drop" : "again";
      const chosen = durationMs < SHORTEST_GREETING_MS ? tooShort : await chooseAbout(guide, mailbox, path);
      if (chosen === "again") continue;
      if (chosen === "keep") await voicemail.keepGreeting({ exchangeId: guide.book.settings.id, mailbox, path });
      guide.call.tell({ is: "greeting", mailbox: mailbox.number, did: chosen === "keep" ? "kept" : "dropped" });
      return await say(guide, mailbox, (said) => (chosen === "keep" ? said.greetingKept : said.greetingDropped));
    } finally {
      await voicemail.discard(path); // gone already when it was kept
    }
  }
}

async function chooseAbout(guide: MailboxGuide, mailbox: Mailbox, path: string): Promise<"keep" | "again" | "drop"> {
  await guide.attendant().play([{ is: "file", path }]);
  const key = await asked(guide, mailbox, ({ keepOrNot }) => keepOrNot);
  if (key === "1") return "keep";
  return key === "2" ? "again" : "drop";
}
