// What may be set of an outbound rule, which says by which trunk calls leave.

import { noun } from "./field.ts";
import { digits, ownNumber, text, trunk, whole } from "./kinds.ts";

export const outboundRule = noun({
  title: "Outbound rules",
  command: "santral rule create",
  table: "outbound_rules",
  knownBy: "id",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { longest: 64, required: true }),
    prefix: digits(
      { tr: "Başlangıç (örneğin 90532)", en: "Begins with (such as 90532)" },
      { most: 15, default: "", about: { tr: "Boşsa her numaraya uyar", en: "Empty: it matches any number" } },
    ),
    priority: whole({ tr: "Öncelik (küçük önce)", en: "Priority (lowest first)" }, { least: 0, most: 100_000 }),
    trunk: trunk(
      { tr: "Hat", en: "Trunk" },
      {
        orNothing: true,
        column: "trunk_id",
        about: { tr: "Boşsa çalışan ilk hat kullanılır", en: "Empty: the first trunk that is up" },
      },
    ),
    callerId: ownNumber({ tr: "Gösterilen numara", en: "Number shown" }, { orNothing: true, column: "caller_id" }),
  },
});
