// What may be set of a staff account.

import { readChoices } from "./choices.ts";
import { noun } from "./field.ts";
import { choice, extension, queues, text, yesOrNo } from "./kinds.ts";
import { roleChoices } from "./role.ts";

const allowed = { yes: { tr: "İzin verildi", en: "Allowed" }, no: { tr: "İzin verilmedi", en: "Not allowed" } };
const asTheRole = { tr: "Boşsa rolün dediği gibi", en: "As the role has it if empty" };

export const staff = noun({
  title: "Staff accounts",
  command: "santral staff create",
  table: "staff",
  knownBy: "id",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true }),
    role: choice({ tr: "Rol", en: "Role" }, { among: roleChoices }),
    queues: queues(
      { tr: "Kuyruklar", en: "Queues" },
      {
        column: null,
        about: {
          tr: "Süpervizör bu kuyrukları ve temsilcilerini görür",
          en: "A supervisor sees these queues and their agents",
        },
      },
    ),
    recordings: choice(
      { tr: "Ses kayıtlarını dinleme", en: "Hearing recordings" },
      { among: allowed, orNothing: true, about: asTheRole },
    ),
    exports: choice(
      { tr: "Tablo indirme", en: "Downloading tables" },
      { among: allowed, orNothing: true, about: asTheRole },
    ),
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
