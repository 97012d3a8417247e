// The phone menu in which an extension speaks its own greeting: 1 speaks, 2 plays, 3 goes back to the usual one, # ends.

import { randomUUID } from "node:crypto";
import { findMailbox, type Mailbox } from "../../../store/mailboxes.ts";
import type { Guide } from "../../lead/guide.ts";
import { asked, say } from "./spoken.ts";
import { BEEP, greetingOf } from "./take-message.ts";
import type { MailboxParts } from "./voicemail.ts";

const LONGEST_GREETING_MS = 120_000;
/** Shorter than this somebody only tried the key. */
const SHORTEST_GREETING_MS = 1_000;
const SILENCE_MS = 6_000;
const MOST_CHOICES = 20;

const CHOICES =
  "Karşılama mesajınızı kaydetmek için bire, dinlemek için ikiye, varsayılana dönmek için üçe, çıkmak için kareye basın.";

type Parts = Pick<MailboxParts, "db" | "voicemail">;

export async function leadToOwnGreeting(parts: Parts, guide: Guide, number: string): Promise<void> {
  for (let choice = 0; choice < MOST_CHOICES; choice++) {
    const mailbox = await findMailbox(parts.db, guide.book.settings.id, number);
    const key = await asked(guide, CHOICES);
    const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
    if (!mailbox || !act) return;
    await act(parts.voicemail, guide, mailbox);
  }
}

type Act = (voicemail: Parts["voicemail"], guide: Guide, mailbox: Mailbox) => Promise<void>;

const acts: Record<string, Act> = {
  "1": speak,
  "2": async (voicemail, guide, mailbox) => void (await guide.line().play(await greetingOf(voicemail, guide, mailbox))),
  "3": async (voicemail, guide, mailbox) => {
    await voicemail.dropGreeting(guide.book.settings.id, mailbox);
    guide.call.tell(`took back the greeting of ${mailbox.number}`);
    await say(guide, "Varsayılan karşılama mesajı kullanılacak.");
  },
};

/** Until its owner keeps one, callers go on hearing the old one. */
async function speak(voicemail: Parts["voicemail"], guide: Guide, mailbox: Mailbox): Promise<void> {
  const line = guide.line();
  for (;;) {
    await say(guide, "Sinyal sesinden sonra konuşun, bitirmek için kareye basın.", BEEP);
    const { path, durationMs } = await line.record({
      ...{ folder: voicemail.folder, name: `greeting-${randomUUID()}.wav` },
      ...{ maxMs: LONGEST_GREETING_MS, silenceMs: SILENCE_MS, stopKeys: "#" },
    });
    try {
      const chosen = durationMs < SHORTEST_GREETING_MS ? "again" : await chooseAbout(guide, path);
      if (chosen === "again") continue;
      if (chosen === "keep") await voicemail.keepGreeting({ exchangeId: guide.book.settings.id, mailbox, path });
      guide.call.tell(`${chosen === "keep" ? "keeps" : "drops"} a new greeting of ${mailbox.number}`);
      return await say(guide, chosen === "keep" ? "Karşılama mesajınız kaydedildi." : "Kayıt silindi.");
    } finally {
      await voicemail.discard(path); // gone already when it was kept
    }
  }
}

async function chooseAbout(guide: Guide, path: string): Promise<"keep" | "again" | "drop"> {
  await guide.line().play([{ is: "file", path }]);
  const key = await asked(guide, "Saklamak için bire, yeniden kaydetmek için ikiye, vazgeçmek için kareye basın.");
  if (key === "1") return "keep";
  return key === "2" ? "again" : "drop";
}
