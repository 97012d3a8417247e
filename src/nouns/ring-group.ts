// What may be set of a ring group, several phones behind one number.

import { groupStrategies } from "./choices.ts";
import { noun } from "./field.ts";
import { choice, form, target, text, whole, yesOrNo } from "./kinds.ts";

export const ringGroup = noun({
  title: "Ring groups",
  command: "santral group set",
  table: "ring_groups",
  knownBy: "number",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true }),
    strategy: choice({ tr: "Dağıtım", en: "Strategy" }, { among: groupStrategies, default: "simultaneous" }),
    ring_seconds: whole({ tr: "Çalma süresi (sn)", en: "Rings for (seconds)" }, { least: 5, most: 300, default: 25 }),
    no_answer_target: target(
      { tr: "Kimse cevap vermezse", en: "When nobody answers" },
      { place: "inbound", orNothing: true },
    ),
    form: form(
      { tr: "Çağrı formu", en: "Call form" },
      {
        orNothing: true,
        column: "form_id",
        about: { tr: "Çağrıyı alan kişi doldurur", en: "Filled in by whoever takes the call" },
      },
    ),
    follows_forwards: yesOrNo(
      { tr: "Üyelerin yönlendirmesini izle", en: "Follow members who are forwarded" },
      {
        default: false,
        about: {
          tr: "Yoksa yönlendirilmiş üye bu çağrıyı almaz",
          en: "Otherwise whoever is forwarded does not take the call",
        },
      },
    ),
  },
});
