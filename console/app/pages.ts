// Every page: where it is, how it is called, and the file it is fetched from when somebody opens it.
// A new page is one line here, one icon in ui/icon.tsx and one folder in pages/.

import { type ComponentType, lazy } from "react";
import type { IconName } from "../ui/icon.tsx";
import type { Both } from "../words/language.tsx";

export type Page = { path: string; title: Both; icon: IconName; show: ComponentType };
export type PageGroup = { title: Both; pages: Page[] };

type Fetch = () => Promise<ComponentType>;

/** `fetch` names one component of a file: pages have no default exports. */
const page = (path: string, icon: IconName, title: Both, fetch: Fetch): Page => ({
  ...{ path, title, icon },
  show: lazy(async () => ({ default: await fetch() })),
});

const board: Fetch = async () => (await import("../pages/board/board.tsx")).Board;
const calls: Fetch = async () => (await import("../pages/calls/calls.tsx")).Calls;
const oneCall: Fetch = async () => (await import("../pages/calls/one-call.tsx")).OneCall;
const voicemail: Fetch = async () => (await import("../pages/voicemail/voicemail.tsx")).Voicemail;
const contacts: Fetch = async () => (await import("../pages/contacts/contacts.tsx")).Contacts;
const blocked: Fetch = async () => (await import("../pages/blocked/blocked.tsx")).BlockedNumbers;
const extensions: Fetch = async () => (await import("../pages/extensions/extensions.tsx")).Extensions;
const queues: Fetch = async () => (await import("../pages/places/queues.tsx")).Queues;
const groups: Fetch = async () => (await import("../pages/places/groups.tsx")).Groups;
const numbers: Fetch = async () => (await import("../pages/lines/numbers.tsx")).Numbers;
const trunks: Fetch = async () => (await import("../pages/lines/trunks.tsx")).Trunks;
const sounds: Fetch = async () => (await import("../pages/sounds/sounds.tsx")).Sounds;
const menus: Fetch = async () => (await import("../pages/menus/menus.tsx")).Menus;
const messages: Fetch = async () => (await import("../pages/messages/messages.tsx")).Messages;
const reports: Fetch = async () => (await import("../pages/reports/reports.tsx")).Reports;
const wallboard: Fetch = async () => (await import("../pages/wallboard/wallboard.tsx")).Wallboard;
const campaigns: Fetch = async () => (await import("../pages/outreach/campaigns.tsx")).Campaigns;
const faxes: Fetch = async () => (await import("../pages/outreach/faxes.tsx")).Faxes;
const settings: Fetch = async () => (await import("../pages/settings/settings.tsx")).Settings;
const staff: Fetch = async () => (await import("../pages/staff/staff.tsx")).Staff;
const audit: Fetch = async () => (await import("../pages/staff/audit.tsx")).Audit;
const account: Fetch = async () => (await import("../pages/account/account.tsx")).Account;

export const pageGroups: PageGroup[] = [
  {
    title: { tr: "Canlı", en: "Live" },
    pages: [
      page("/", "board", { tr: "Canlı pano", en: "Live board" }, board),
      page("/wallboard", "wall", { tr: "Duvar panosu", en: "Wallboard" }, wallboard),
      page("/reports", "chart", { tr: "Raporlar", en: "Reports" }, reports),
    ],
  },
  {
    title: { tr: "Görüşmeler", en: "Conversations" },
    pages: [
      page("/calls", "call", { tr: "Çağrılar ve kayıtlar", en: "Calls and recordings" }, calls),
      page("/voicemail", "voicemail", { tr: "Sesli mesajlar", en: "Voicemail" }, voicemail),
      page("/contacts", "book", { tr: "Rehber", en: "Contacts" }, contacts),
      page("/blocked", "block", { tr: "Engelli numaralar", en: "Blocked numbers" }, blocked),
      page("/sms", "message", { tr: "SMS", en: "SMS" }, messages),
      page("/campaigns", "out", { tr: "Otomatik arama", en: "Automatic calling" }, campaigns),
      page("/faxes", "audit", { tr: "Fakslar", en: "Faxes" }, faxes),
    ],
  },
  {
    title: { tr: "Santral", en: "Exchange" },
    pages: [
      page("/extensions", "phone", { tr: "Dahililer", en: "Extensions" }, extensions),
      page("/queues", "queue", { tr: "Kuyruklar", en: "Queues" }, queues),
      page("/groups", "group", { tr: "Çağrı grupları", en: "Ring groups" }, groups),
      page("/menus", "menu", { tr: "Menüler ve akış", en: "Menus and flow" }, menus),
      page("/numbers", "number", { tr: "Numaralar ve saatler", en: "Numbers and hours" }, numbers),
      page("/trunks", "trunk", { tr: "Hatlar ve kurallar", en: "Trunks and rules" }, trunks),
      page("/announcements", "sound", { tr: "Anonslar", en: "Announcements" }, sounds),
    ],
  },
  {
    title: { tr: "Yönetim", en: "Administration" },
    pages: [
      page("/settings", "settings", { tr: "Santral ayarları", en: "Settings" }, settings),
      page("/staff", "people", { tr: "Kullanıcılar", en: "Staff" }, staff),
      page("/audit", "audit", { tr: "Denetim izi", en: "Audit trail" }, audit),
    ],
  },
];

/** Reached from other pages, and not from the navigation. */
const inside: Page[] = [
  page("/calls/:uuid", "call", { tr: "Çağrı", en: "Call" }, oneCall),
  page("/account", "person", { tr: "Hesabım", en: "My account" }, account),
];

export const pages: Page[] = [...pageGroups.flatMap(({ pages }) => pages), ...inside];
