// What staff may do: rights, roles that are sets of them, and how far each role sees. Every list of roles comes from here.

import type { Words } from "./field.ts";

/** Each is asked for by operations of the console. The words go after "you may not" and stand in lists. */
export const rights = {
  own: { tr: "kendi hesabını yönetmek", en: "manage one's own account" },
  directory: { tr: "dahili ve kuyruk adlarını görmek", en: "see the names of extensions and queues" },
  board: { tr: "canlı panoyu izlemek", en: "watch the live board" },
  "use-phone": { tr: "web telefonunu kullanmak", en: "use the web phone" },
  "see-calls": { tr: "çağrıları görmek", en: "see calls" },
  "steer-calls": { tr: "çağrıları kapatmak ve aktarmak", en: "hang up and transfer calls" },
  "begin-calls": { tr: "çağrı başlatmak", en: "begin calls" },
  supervise: { tr: "çağrıları dinlemek", en: "listen in on calls" },
  recordings: { tr: "ses kayıtlarını dinlemek", en: "hear recordings" },
  exports: { tr: "tablo indirmek", en: "download tables" },
  "see-voicemail": { tr: "sesli mesajları dinlemek", en: "hear voicemail" },
  "change-voicemail": { tr: "sesli mesajları silmek", en: "mark and delete voicemail" },
  "see-queues": { tr: "kuyrukları görmek", en: "see queues" },
  "move-agents": { tr: "temsilci durumunu değiştirmek", en: "change the status of agents" },
  "see-reports": { tr: "raporları görmek", en: "see reports" },
  "mail-reports": { tr: "raporları e-postayla göndermek", en: "have reports sent by mail" },
  "see-spending": { tr: "harcamaları görmek", en: "see spending" },
  "see-forms": { tr: "çağrı formlarını görmek", en: "see call forms" },
  desk: { tr: "temsilci masasında çalışmak", en: "work at the agent's desk" },
  "fill-forms": { tr: "çağrı formlarını doldurmak", en: "fill in call forms" },
  "see-contacts": { tr: "rehberi görmek", en: "see contacts" },
  "edit-contacts": { tr: "rehbere yazmak", en: "write contacts" },
  "manage-contacts": { tr: "rehberi yönetmek", en: "import, group and delete contacts" },
  "see-blocked": { tr: "engelli numaraları görmek", en: "see blocked numbers" },
  "change-blocked": { tr: "numara engellemek", en: "block numbers" },
  "see-messages": { tr: "SMS'leri görmek", en: "see SMS" },
  "send-messages": { tr: "SMS göndermek", en: "send SMS" },
  "see-campaigns": { tr: "otomatik aramaları görmek", en: "see automatic calling" },
  "run-campaigns": { tr: "otomatik arama yapmak", en: "run automatic calling" },
  "see-faxes": { tr: "faksları görmek", en: "see faxes" },
  "handle-faxes": { tr: "faksları okundu işaretlemek ve atamak", en: "mark and assign faxes" },
  "see-sent-faxes": { tr: "giden faksları görmek", en: "see faxes that go out" },
  "send-faxes": { tr: "faks göndermek", en: "send faxes" },
  "see-setup": { tr: "santralin kurulumunu görmek", en: "see how the exchange is set up" },
  "run-again": {
    tr: "bildirimleri ve rehber kaynaklarını yeniden çalıştırmak",
    en: "run deliveries and sources again",
  },
  import: { tr: "dosyadan aktarmak", en: "import files" },
  "see-walls": { tr: "duvar ekranlarını görmek", en: "see boards for the wall" },
  "watch-queues": {
    tr: "duvar ekranlarını ve kuyrukların alarm sınırlarını ayarlamak",
    en: "set boards for the wall and the alarms of queues",
  },
  "switch-office": { tr: "ofisi elle açıp kapatmak", en: "open and close the office by hand" },
  "set-up": { tr: "santrali kurmak", en: "set the exchange up" },
  "manage-staff": { tr: "kullanıcıları ve anahtarları yönetmek", en: "manage staff and keys" },
  "read-audit": { tr: "denetim izini okumak", en: "read the audit trail" },
  "run-servers": { tr: "sunucuları yönetmek", en: "run the servers" },
} as const satisfies Record<string, Words>;

export type Right = keyof typeof rights;

export const RIGHTS = Object.keys(rights) as Right[]; // of the record above

/**
 * What of the exchange a role is about: everything; the queues somebody was given, their agents and himself; or
 * himself and the queues he takes calls from.
 */
export type Reach = "everything" | "queues" | "own";

const READING = [
  ...(["own", "directory", "board", "see-calls", "recordings", "exports", "see-voicemail", "see-queues"] as const),
  ...(["see-reports", "see-forms", "see-contacts", "see-blocked", "see-messages", "see-campaigns"] as const),
  ...(["see-faxes", "see-sent-faxes", "see-setup", "see-walls"] as const),
] satisfies Right[];

const WORKING = [
  ...(["use-phone", "steer-calls", "begin-calls", "change-voicemail", "move-agents", "fill-forms"] as const),
  ...(["desk", "edit-contacts", "handle-faxes"] as const),
] satisfies Right[];

const EVERYDAY = [
  ...(["manage-contacts", "change-blocked", "send-messages", "run-campaigns", "send-faxes", "run-again"] as const),
  ...(["import", "switch-office"] as const),
] satisfies Right[];

const AT_A_DESK = [
  ...(["own", "directory", "board", "see-calls", "see-voicemail", "see-queues", "see-contacts"] as const),
  "see-faxes",
] satisfies Right[];

type Role = { reach: Reach; rights: readonly Right[]; words: Words; about: Words };

export const roles = {
  administrator: {
    reach: "everything",
    rights: RIGHTS,
    words: { tr: "Yönetici", en: "Administrator" },
    about: { tr: "Her şeyi görür ve kurar", en: "Sees and sets up everything" },
  },
  supervisor: {
    reach: "queues",
    rights: [
      ...AT_A_DESK,
      ...WORKING,
      "see-reports",
      "mail-reports",
      "see-forms",
      "recordings",
      "exports",
      "supervise",
      "see-walls",
      "watch-queues",
    ],
    words: { tr: "Süpervizör", en: "Supervisor" },
    about: {
      tr: "Kendi kuyruklarını ve temsilcilerini görür, dinler ve yönetir",
      en: "Sees, hears and leads the queues below and their agents",
    },
  },
  agent: {
    reach: "own",
    rights: [...AT_A_DESK, ...WORKING],
    words: { tr: "Temsilci", en: "Agent" },
    about: { tr: "Kendi çağrıları, posta kutusu ve kuyrukları", en: "Own calls, own mailbox, own queues" },
  },
  viewer: {
    reach: "everything",
    rights: ["own", "directory", "see-reports", "exports"],
    words: { tr: "Rapor okuyucu", en: "Viewer" },
    about: { tr: "Yalnızca raporlar", en: "Reports only" },
  },
  accountant: {
    reach: "everything",
    rights: ["own", "directory", "see-spending", "exports"],
    words: { tr: "Muhasebe", en: "Accountant" },
    about: { tr: "Yalnızca harcamalar", en: "Spending only" },
  },
  standard: {
    reach: "everything",
    rights: [...READING, ...WORKING, ...EVERYDAY],
    words: { tr: "Standart", en: "Standard" },
    about: { tr: "Her şeyi görür, günlük işleri yapar", en: "Sees everything, does the everyday work" },
  },
  "read-only": {
    reach: "everything",
    rights: READING,
    words: { tr: "Salt okunur", en: "Read-only" },
    about: { tr: "Her şeyi görür", en: "Sees everything" },
  },
} as const satisfies Record<string, Role>;

export type StaffRole = keyof typeof roles;

const STAFF_ROLES = Object.keys(roles) as StaffRole[]; // of the record above

/** What one is given unless somebody says otherwise. */
export const USUAL_ROLE: StaffRole = "standard";

export const roleChoices = Object.fromEntries(STAFF_ROLES.map((role) => [role, roles[role].words])) as Record<
  StaffRole,
  Words
>; // role by role

/** Given to an account, or taken from it, whatever its role says. */
type SeparateRight = Extract<Right, "recordings" | "exports">;

/** Null: as the role has it. */
export type Holder = { role: StaffRole } & { readonly [Name in SeparateRight]: "yes" | "no" | null };

export function hasRight(holder: Holder, right: Right): boolean {
  const said = right === "recordings" || right === "exports" ? holder[right] : null;
  return said === null ? (roles[holder.role].rights as readonly Right[]).includes(right) : said === "yes";
}

export const rolesWith = (right: Right): StaffRole[] =>
  STAFF_ROLES.filter((role) => (roles[role].rights as readonly Right[]).includes(right));

export function reachOf({ role }: Pick<Holder, "role">): Reach {
  return roles[role].reach;
}
