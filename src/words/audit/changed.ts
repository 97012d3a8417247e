// Operations that change what stands somewhere, and where: what was there before is noted from this one table, and told in
// the words of its fields.

import { allNouns } from "../../nouns/all.ts";
import { archive } from "../../nouns/archive.ts";
import { officeSwitch } from "../../nouns/choices.ts";
import { contact } from "../../nouns/contact.ts";
import { contactSource } from "../../nouns/contact-source.ts";
import { EVENT_SWITCHES, eventSwitches, exchange } from "../../nouns/exchange.ts";
import { extension } from "../../nouns/extension.ts";
import { externalNumber } from "../../nouns/external-number.ts";
import type { Fields, Noun } from "../../nouns/field.ts";
import { choice, day, money, outsideNumber, queues, target, text, url, words, yesOrNo } from "../../nouns/kinds.ts";
import { mailbox } from "../../nouns/mailbox.ts";
import { menu } from "../../nouns/menu.ts";
import { outboundRule } from "../../nouns/outbound-rule.ts";
import { queue, queueAlarms } from "../../nouns/queue.ts";
import { reportPlan } from "../../nouns/report-plan.ts";
import { ringGroup } from "../../nouns/ring-group.ts";
import { singleSignOn } from "../../nouns/single-sign-on.ts";
import { smsAccount } from "../../nouns/sms-account.ts";
import { specialDays } from "../../nouns/special-days.ts";
import { staff } from "../../nouns/staff.ts";
import { trunk } from "../../nouns/trunk.ts";
import { wallBoard } from "../../nouns/wall-board.ts";

export type Changed = {
  noun: Noun;
  /** The parameter that says which one; undefined: the exchange has one, or one that is in use. */
  by?: string;
  /** Its changes stand beside that parameter, and not in `changes`. */
  flat?: true;
  /** Parameters beside `changes` that are changed as well. */
  beside?: readonly string[];
};

/** What is no noun to be set by commands: a row with a few fields. */
const row = (table: string, knownBy: string, fields: Fields): Noun => ({ title: table, table, knownBy, fields });

/** A noun with what another table holds of it. */
const having = (noun: Noun, fields: Fields): Noun => ({ ...noun, fields: { ...noun.fields, ...fields } });
const members = { members: words({ tr: "Üyeler (sırayla)", en: "Members, in order" }, { column: null }) };
const groups = { group_ids: queues({ tr: "Gruplar", en: "Groups" }, { column: null }) };

const holiday = row("holidays", "id", {
  day: day({ tr: "Gün", en: "Day" }),
  last_day: day({ tr: "Son gün", en: "Last day" }),
  description: text({ tr: "Açıklama", en: "Description" }),
  target: target({ tr: "Hedef", en: "Target" }, { place: "inbound" }),
  number: outsideNumber({ tr: "Dış numara", en: "External number" }, {}),
});

const name = text({ tr: "Ad", en: "Name" });
const form = row("forms", "id", {
  name,
  active: yesOrNo({ tr: "Kullanımda", en: "In use" }, {}),
  fields: text({ tr: "Alanlar", en: "Fields" }, { column: null }),
});
const rate = row("call_rates", "prefix", {
  minutePrice: money({ tr: "Dakika ücreti", en: "Price a minute" }, { column: "minute_price" }),
});
const office = row("exchanges", "id", {
  to: choice({ tr: "Ofis", en: "Office" }, { among: officeSwitch, column: "office_switch" }),
});
const campaign = row("call_campaigns", "id", { on: yesOrNo({ tr: "Açık", en: "On" }, { column: "is_on" }) });
const crm = row("exchanges", "id", {
  ...Object.fromEntries(EVENT_SWITCHES.map((event) => [event, { ...eventSwitches[event], column: `crm_${event}` }])),
  notification_url: url({ tr: "Bildirim adresi", en: "Notification URL" }, { column: "crm_url" }),
});
const backupPlan = row("", "", {
  every: choice(
    { tr: "Ne sıklıkta", en: "How often" },
    {
      among: {
        never: { tr: "Hiç", en: "Never" },
        day: { tr: "Her gün", en: "Every day" },
        week: { tr: "Her hafta", en: "Every week" },
      },
      column: null,
    },
  ),
  at: text({ tr: "Saat", en: "At" }, { column: null }),
  keep: text({ tr: "Saklanan yedek", en: "Backups kept" }, { column: null }),
});

const greetings = having(specialDays, {
  title: text({ tr: "Gönderen başlığı", en: "Sender" }, { column: null }),
});

const changed: Readonly<Record<string, Changed>> = {
  "extensions.update": { noun: extension, by: "number" },
  "extensions.setDnd": { noun: extension, by: "number", flat: true },
  "mailboxes.update": { noun: mailbox, by: "number" },
  "queues.update": { noun: having(queue, members), by: "number", beside: ["members"] },
  "queues.setAlarms": { noun: queueAlarms, by: "number" },
  "groups.update": { noun: having(ringGroup, members), by: "number", beside: ["members"] },
  "menus.update": { noun: menu, by: "number" },
  "numbers.update": { noun: externalNumber, by: "number" },
  "rules.update": { noun: outboundRule, by: "id", flat: true },
  "holidays.update": { noun: holiday, by: "id", flat: true },
  "office.switch": { noun: office, flat: true },
  "campaigns.switch": { noun: campaign, by: "id", flat: true },
  "walls.update": { noun: wallBoard, by: "id" },
  "reportPlans.update": { noun: reportPlan, by: "id" },
  "trunks.update": { noun: trunk, by: "name" },
  "staff.update": { noun: staff, by: "id" },
  "settings.update": { noun: exchange },
  "crm.update": { noun: crm, flat: true },
  "sso.update": { noun: singleSignOn },
  "archive.update": { noun: archive },
  "forms.update": { noun: form, by: "id", flat: true },
  "contacts.update": { noun: having(contact, groups), by: "id" },
  "contactGroups.rename": { noun: row("contact_groups", "id", { name }), by: "id", flat: true },
  "contactSources.update": { noun: contactSource, by: "name" },
  "sounds.update": { noun: row("announcements", "id", { name }), by: "id", flat: true },
  "sms.updateAccount": { noun: smsAccount, by: "id" },
  "rates.set": { noun: rate, by: "prefix", flat: true },
  "backups.plan": { noun: backupPlan, flat: true },
};

export function changedBy(did: string): Changed | undefined {
  return Object.hasOwn(changed, did) ? changed[did] : undefined;
}

/** What stands in a table: the noun that knows most of it, with what other tables hold. */
export function nounOf(table: string): Noun {
  const known = [...allNouns, greetings, ...Object.values(changed).map(({ noun }) => noun)].filter(
    (it) => it.table === table,
  );
  const [found] = known.sort((a, b) => Object.keys(b.fields).length - Object.keys(a.fields).length);
  if (!found) throw new Error(`nothing that is set stands in ${table}`);
  return found;
}

/** The changes that a command made, by the table that it noted. */
export function changedByCommand({ of }: Given): Changed | undefined {
  const isKnown = typeof of === "string" && allNouns.some(({ table }) => table === of);
  return isKnown || of === rate.table || of === holiday.table ? { noun: nounOf(of) } : undefined;
}

/** What a line holds beside what was asked for. */
export const NOTED: readonly string[] = ["was", "called", "of"];

type Given = Readonly<Record<string, unknown>>;

/** The names of the parameters that are the changes, and the changes. */
export function givenIn(
  { by, flat, beside = [] }: Changed,
  sent: Given,
): { names: string[]; after: Given | undefined } {
  const pick = (keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(sent).filter(([name, value]) => keep(name) && value !== undefined));
  if (flat) {
    const after = pick((name) => name !== by && !NOTED.includes(name));
    return { names: Object.keys(after), after };
  }
  const { changes } = sent;
  const isThere = typeof changes === "object" && changes !== null && !Array.isArray(changes);
  return {
    names: ["changes", ...beside],
    after: isThere ? { ...changes, ...pick((name) => beside.includes(name)) } : undefined,
  };
}
