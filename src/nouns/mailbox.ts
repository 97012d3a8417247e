// What may be set of an extension's mailbox.

import { USUAL_LANGUAGE } from "../speech/language.ts";
import { spokenChoices } from "./choices.ts";
import { noun } from "./field.ts";
import { area, choice, email, secret, sound, whole, yesOrNo } from "./kinds.ts";

export const mailbox = noun({
  title: "Mailboxes",
  command: "santral mailbox set",
  table: "mailboxes",
  knownBy: "extension_id",
  fields: {
    active: yesOrNo(
      { tr: "Cevapsız çağrılar mesaj bırakabilir", en: "Takes calls that nobody answers" },
      { default: true },
    ),
    greeting_announcement_id: sound(
      { tr: "Karşılama anonsu", en: "Greeting (announcement)" },
      { orNothing: true, option: "sound" },
    ),
    greeting_text: area(
      { tr: "Karşılama metni (seslendirilir)", en: "Greeting (spoken text)" },
      { longest: 1_000, orNothing: true, option: "greeting" },
    ),
    greeting_language: choice(
      { tr: "Karşılama dili", en: "Language of the greeting" },
      { among: spokenChoices, default: USUAL_LANGUAGE, option: "language" },
    ),
    max_seconds: whole(
      { tr: "En uzun mesaj (sn)", en: "Longest message (seconds)" },
      { least: 5, most: 1_800, default: 180, option: "seconds" },
    ),
    pin: secret(
      { tr: "PIN", en: "PIN" },
      {
        digits: [4, 12],
        orNothing: true,
        about: { tr: "4–12 rakam; telefonla dinlemek için", en: "4 to 12 digits, for hearing messages by phone" },
      },
    ),
    email: email({ tr: "Yeni mesajı şu adrese gönder", en: "Mail new messages to" }, { orNothing: true }),
  },
});
