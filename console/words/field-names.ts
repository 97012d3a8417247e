// What people call the fields that the server names in a refusal. One that is not here is shown as the server wrote it.

import { allNouns } from "../../src/nouns/all.ts";
import type { Both, Language } from "./language.tsx";

/** As in "Rings for (seconds)". */
const UNIT = / \([^)]*\)$/;

const withoutUnit = ({ tr, en }: Both): Both => ({ tr: tr.replace(UNIT, ""), en: en.replace(UNIT, "") });

/** Where nouns have fields of one name, the first of them says it. */
const described = Object.fromEntries(
  allNouns
    .flatMap(({ fields }) => Object.entries(fields))
    .flatMap(([name, { label, parameter = name }]) =>
      [name, parameter].map((it): [string, Both] => [it, withoutUnit(label)]),
    )
    .reverse(),
);

/** What only the interface calls so. */
const names: Record<string, Both> = {
  ...described,
  answered: { tr: "Cevaplanma", en: "Answered" },
  content: { tr: "Dosya", en: "File" },
  destination: { tr: "Aranan numara", en: "Number" },
  digit_target_square: { tr: "# tuşu", en: "Key #" },
  digit_target_star: { tr: "* tuşu", en: "Key *" },
  filedata: { tr: "Belge", en: "Document" },
  group_ids: { tr: "Gruplar", en: "Groups" },
  hangup: { tr: "Bitiş", en: "Hang-up" },
  lang: { tr: "Dil", en: "Language" },
  name: { tr: "Ad", en: "Name" },
  limit: { tr: "Sayfa boyu", en: "Rows on a page" },
  local_station_id: { tr: "Gönderen numara", en: "Number that sends" },
  notification_url: { tr: "Bildirim adresi", en: "Notification URL" },
  number: { tr: "Numara", en: "Number" },
  numbers: { tr: "Numaralar", en: "Numbers" },
  phone_list: { tr: "Numaralar", en: "Numbers" },
  remote_station_id: { tr: "Alıcı numarası", en: "Recipient's number" },
  ringing: { tr: "Çalma", en: "Ringing" },
  sounddata: { tr: "Ses dosyası", en: "Sound file" },
};

/** Of a path such as `changes/max_calls` the last part is the field. */
export function fieldName(path: string, language: Language): string {
  const field = path.slice(path.lastIndexOf("/") + 1);
  const key = /^digit_target_(\d)$/.exec(field)?.[1];
  if (key !== undefined) return language === "tr" ? `${key} tuşu` : `Key ${key}`;
  return names[field]?.[language] ?? field;
}
