// What may be set of a ring group, several phones behind one number.

import { groupStrategies } from "./choices.ts";
import { noun } from "./field.ts";
import { choice, target, text, whole } from "./kinds.ts";
import { callForm, followsForwards } from "./members.ts";

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
    form: callForm({ tr: "Çağrıyı alan kişi doldurur", en: "Filled in by whoever takes the call" }),
    follows_forwards: followsForwards,
  },
});
