// What may be set of a board for a screen on the wall.

import { readChoices } from "./choices.ts";
import { noun, type Words } from "./field.ts";
import { choice, queues, several, text, whole } from "./kinds.ts";

/** What a board can show, in the order in which they are offered. */
export const wallTiles = {
  waiting: { tr: "Bekleyen", en: "Waiting" },
  "longest-wait": { tr: "En uzun bekleme", en: "Longest wait" },
  "agents-free": { tr: "Hazır temsilci", en: "Agents available" },
  "agents-busy": { tr: "Görüşmede", en: "Agents busy" },
  "agents-break": { tr: "Molada", en: "Agents on a break" },
  "calls-today": { tr: "Bugünkü çağrı", en: "Calls today" },
  "answered-today": { tr: "Bugün cevaplanan", en: "Answered today" },
  "abandoned-today": { tr: "Bugün vazgeçilen", en: "Abandoned today" },
  "service-level": { tr: "Bugünkü hizmet düzeyi", en: "Service level today" },
  alarms: { tr: "Alarmlar", en: "Alarms" },
  queues: { tr: "Kuyruk kuyruk", en: "Queue by queue" },
  agents: { tr: "Temsilciler, adlarıyla", en: "Agents, by name" },
} as const satisfies Record<string, Words>;

export type WallTile = keyof typeof wallTiles;

const WALL_TILES = Object.keys(wallTiles) as WallTile[]; // of the record above

const sizes = {
  normal: { tr: "Normal", en: "Normal" },
  large: { tr: "Büyük", en: "Large" },
  huge: { tr: "Çok büyük", en: "Huge" },
} as const;

const looks = {
  auto: { tr: "Ekran nasılsa", en: "As the screen has it" },
  light: { tr: "Açık", en: "Light" },
  dark: { tr: "Koyu", en: "Dark" },
} as const;

const inRed = { tr: "Kırmızıya döner", en: "Shown in red" };

export const wallBoard = noun({
  title: "Wall boards",
  table: "wall_boards",
  knownBy: "id",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true, longest: 100 }),
    queues: queues({ tr: "Kuyruklar (boş: hepsi)", en: "Queues (empty: all)" }, { default: [] }),
    tiles: several(
      { tr: "Kutular, bu sırayla", en: "Tiles, in this order" },
      {
        among: WALL_TILES,
        words: wallTiles,
        default: ["waiting", "longest-wait", "agents-free", "service-level", "alarms", "queues"],
      },
    ),
    size: choice({ tr: "Yazı", en: "Type" }, { among: sizes, default: "large" }),
    look: choice({ tr: "Görünüm", en: "Look" }, { among: looks, default: "auto" }),
    language: choice({ tr: "Dil", en: "Language" }, { among: readChoices, default: "tr" }),
    warn_wait_seconds: whole(
      {
        tr: "Bu kadar bekleyince (sn, 0: kuyruğun alarmıyla)",
        en: "From a wait of (seconds, 0: with the queue's alarm)",
      },
      { least: 0, most: 86_400, default: 0, under: inRed },
    ),
    warn_waiting: whole(
      {
        tr: "Bu kadar bekleyenle (0: kuyruğun alarmıyla)",
        en: "From so many callers waiting (0: with the queue's alarm)",
      },
      { least: 0, most: 10_000, default: 0, under: inRed },
    ),
    warn_level_percent: whole(
      {
        tr: "Hizmet düzeyi bunun altında (%, 0: kuyruğun alarmıyla)",
        en: "Below a service level of (%, 0: with the queue's alarm)",
      },
      { least: 0, most: 100, default: 0, under: inRed },
    ),
  },
});
