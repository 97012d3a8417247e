// What may be set of the messages that contacts get on their days.

import { recipientTypes } from "./choices.ts";
import { noun } from "./field.ts";
import { choice, text, time } from "./kinds.ts";

export const specialDays = noun({
  title: "Special-day messages",
  command: "santral sms special-days",
  table: "special_day_settings",
  knownBy: "exchange_id",
  fields: {
    at: time({ tr: "Saat", en: "By the exchange's clock" }, { default: "10:00", only: "command" }),
    birthdayMessage: text(
      { tr: "Doğum günü mesajı", en: "Birthday message" },
      {
        required: true,
        default: "Sayın {name} {surname}, doğum gününüz kutlu olsun.",
        column: "birthday_message",
        option: "birthday",
        only: "command",
        about: { tr: "{name} ve {surname} doldurulur", en: "{name} and {surname} are filled in" },
      },
    ),
    weddingMessage: text(
      { tr: "Evlilik yıl dönümü mesajı", en: "Wedding day message" },
      {
        required: true,
        default: "Sayın {name} {surname}, evlilik yıl dönümünüz kutlu olsun.",
        column: "wedding_message",
        option: "wedding",
        only: "command",
      },
    ),
    recipientType: choice(
      { tr: "Ticari ise alıcı türü", en: "Kind of recipient, if they are commercial" },
      {
        among: recipientTypes,
        orNothing: true,
        column: "recipient_type",
        option: "commercial",
        only: "command",
        about: { tr: "Yalnızca izin verenler alır", en: "Only those who consented get one" },
      },
    ),
  },
});
