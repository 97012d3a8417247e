// What may be set of a voice menu.

import { noun } from "./field.ts";
import { keys, sound, target, text, whole } from "./kinds.ts";

export const menu = noun({
  title: "Voice menus",
  command: "santral menu set",
  table: "menus",
  knownBy: "number",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true }),
    welcome_announcement_id: sound(
      { tr: "Karşılama anonsu", en: "Welcome announcement" },
      { orNothing: true, option: "welcome" },
    ),
    key_targets: keys({ tr: "Tuşlar", en: "Keys" }, { place: "menu", default: {}, option: "keys" }),
    timeout_target: target({ tr: "Tuşlanmazsa", en: "When no key comes" }, { place: "menu", orNothing: true }),
    invalid_target: target({ tr: "Başka bir tuşta", en: "On every other key" }, { place: "menu", orNothing: true }),
    retries: whole({ tr: "Yineleme", en: "Retries" }, { least: 0, most: 10, default: 2 }),
    key_seconds: whole({ tr: "Tuş bekleme (sn)", en: "Waits for a key (seconds)" }, { least: 1, most: 30, default: 5 }),
  },
});
