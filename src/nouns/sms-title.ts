// What may be said of a sender title when it is made.

import { noun } from "./field.ts";
import { outsideNumber, whole, yesOrNo } from "./kinds.ts";

export const smsTitle = noun({
  title: "SMS titles",
  command: "santral sms title create",
  table: "sms_titles",
  knownBy: "name",
  fields: {
    iysCode: whole(
      { tr: "İYS kodu", en: "Registry code" },
      { least: 1, most: 999_999_999, orNothing: true, column: "iys_code" },
    ),
    iysBrandCode: whole(
      { tr: "İYS marka kodu", en: "Brand code" },
      {
        least: 1,
        most: 999_999_999,
        orNothing: true,
        column: "iys_brand_code",
        option: "brand-code",
        about: { tr: "Ticari mesajlar bunu ister", en: "Commercial messages need it" },
      },
    ),
    optOutNumber: outsideNumber(
      { tr: "Ret numarası", en: "Opt-out number" },
      {
        orNothing: true,
        column: "opt_out_number",
        about: { tr: "RET bu numaraya gönderilir", en: "The number IPTAL is sent to" },
      },
    ),
    messagesPerSecond: whole(
      { tr: "Saniyede mesaj", en: "How fast it may send" },
      { least: 1, most: 100_000, orNothing: true, column: "messages_per_second", only: "command" },
    ),
    approved: yesOrNo({ tr: "Onaylı", en: "Approved" }, { default: true, only: "command" }),
  },
});
