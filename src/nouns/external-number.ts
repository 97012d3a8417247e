// What may be set of a number that people call from outside.

import { sameEveryDay } from "./choices.ts";
import { noun } from "./field.ts";
import { days, target, text, time, trunk, week } from "./kinds.ts";

export const externalNumber = noun({
  title: "External numbers",
  command: "santral number set",
  table: "external_numbers",
  knownBy: "number",
  fields: {
    description: text({ tr: "Açıklama", en: "Description" }, { default: "" }),
    target: target({ tr: "Hedef", en: "Leads to" }, { place: "inbound", default: "hangup/busy" }),
    closed_target: target({ tr: "Mesai dışında", en: "Outside office hours" }, { place: "inbound", orNothing: true }),
    fax_target: target(
      { tr: "Arayan faks cihazıysa", en: "When the caller is a fax machine" },
      { place: "inbound", orNothing: true, about: { tr: "fax ya da fax/<e-posta>", en: "fax or fax/<e-mail>" } },
    ),
    office_hours: week(
      { tr: "Mesai saatleri", en: "Office hours" },
      { orNothing: true, about: { tr: "Boşsa santralin mesaisi geçerli", en: "Empty: the exchange's office hours" } },
    ),
    office_opens: time({ tr: "Açılış", en: "Opens" }, { orNothing: true, only: "command", about: sameEveryDay }),
    office_closes: time({ tr: "Kapanış", en: "Closes" }, { orNothing: true, only: "command", about: sameEveryDay }),
    office_days: days({ tr: "Günler", en: "Days" }, { orNothing: true, only: "command", about: sameEveryDay }),
    trunk: trunk({ tr: "Hat", en: "Trunk" }, { orNothing: true, column: "trunk_id" }),
  },
});
