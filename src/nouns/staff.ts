// What may be set of a staff account.

import { readChoices } from "./choices.ts";
import { noun } from "./field.ts";
import { choice, extension, text, yesOrNo } from "./kinds.ts";
import { roleChoices } from "./role.ts";

export const staff = noun({
  title: "Staff accounts",
  command: "santral staff create",
  table: "staff",
  knownBy: "id",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true }),
    role: choice({ tr: "Rol", en: "Role" }, { among: roleChoices }),
    extension: extension(
      { tr: "Dahili", en: "Extension" },
      {
        orNothing: true,
        column: "extension_id",
        about: { tr: "Web telefonu bu dahiliyle açılır", en: "The web phone opens with this extension" },
      },
    ),
    language: choice(
      { tr: "Yazışma dili", en: "Language of letters" },
      {
        among: readChoices,
        orNothing: true,
        about: { tr: "Boşsa santralin dili", en: "The exchange's if empty" },
      },
    ),
    active: yesOrNo({ tr: "Etkin", en: "Active" }, { default: true }),
  },
});
