// What a call needs to know of an exchange, read in one go: its settings, extensions and own numbers.

import type { CallClass, OfficeSwitch, SrtpUse } from "../nouns/choices.ts";
import type { Db } from "./db.ts";
import { type CallRate, listCallRates } from "./spending.ts";
import { sql } from "./sql.ts";

export type ExchangeSettings = {
  id: number;
  sipDomain: string;
  timeZone: string;
  /** What breaks are called, in the order of their digits. */
  breaks: string[];
  recordCalls: boolean;
  recordInbound: boolean;
  recordOutbound: boolean;
  recordInternal: boolean;
  defaultCallerId: string | null;
  ringSeconds: number;
  internationalCalls: boolean;
  /** Numbers that cost far more than a call does, by `plan/dear-numbers.ts`. */
  premiumCalls: boolean;
  /** Besides 112. */
  emergencyNumbers: string[];
  /** Null: there is none. */
  monthlySpendingLimit: number | null;
  /** What may be spent within an hour, and from where on it is told: see `nouns/limits.ts`. */
  hourlySpendingLimit: number | null;
  hourlySpendingAlarm: number | null;
  extensionHourlyAlarm: number | null;
  unusualSpendingAlarm: number | null;
  callsAtOnceAlarm: number | null;
  extensionCallsAlarm: number | null;
  channelLimit: number | null;
  maxCallSeconds: number;
  programUrl: string | null;
  programSpareTarget: string | null;
  /** What callers press for the service stays in a recording. */
  programRecordKeys: boolean;
  /** By weekday: `1 08:00-12:00` is Monday morning. */
  officeHours: string[];
  officeSwitch: OfficeSwitch;
  /** Phones may turn it, and watch it. */
  officeByPhone: boolean;
};

export type ExtensionSettings = {
  number: string;
  name: string;
  active: boolean;
  dnd: boolean;
  recordCalls: boolean;
  maxCalls: number;
  outboundCallerId: string | null;
  /** Its number is shown to nobody it calls, unless it says otherwise. */
  withholdNumber: boolean;
  /** What it may call. */
  mayCall: CallClass;
  forwardAlways: string | null;
  forwardBusy: string | null;
  forwardNoAnswer: string | null;
  forwardUnreachable: string | null;
  noAnswerSeconds: number;
  /** Its own, or else those of its exchange. */
  codecs: string[];
  srtp: SrtpUse;
  /** Its mailbox takes calls that nobody else does. */
  hasMailbox: boolean;
  /** A browser in which its owner is signed in may be told of a call while no page is open there. */
  canBeWoken?: boolean;
};

export type OwnNumber = {
  number: string;
  description: string;
  target: string;
  /** Outside office hours and on holidays; null: the same target all the time. */
  closedTarget: string | null;
  /** Where a caller goes who turns out to be a fax machine; null: nobody listens for that. */
  faxTarget: string | null;
  /** Its own hours; null: the exchange's. */
  hours: string[] | null;
};

/** Lists that a call may have to look into. */
export type CallList = "blocked numbers" | "holidays" | "contacts";

/** Says which exchange's lists have changed. */
export const CALL_LISTS_CHANNEL = "call_lists";

/** What else than an extension a phone can dial inside. */
export type InsidePlace = "group" | "queue" | "ivr";

/** A form that calls get, in its newest version. */
export type FormRef = { id: number; version: number };

/** Which forms calls get: of their queue or group, else of their direction. Passive ones are not here. */
export type FormsChosen = { places: Map<string, FormRef>; inbound?: FormRef; outbound?: FormRef };

export type CallSettings = {
  settings: ExchangeSettings;
  extensions: Map<string, ExtensionSettings>;
  numbers: Map<string, OwnNumber>;
  places: Map<string, InsidePlace>;
  forms: FormsChosen;
  /** The longest prefix first. */
  rates: CallRate[];
  /** Lists that are empty: nobody need look into them. */
  empty: ReadonlySet<CallList>;
};

export async function readCallSettings(db: Db, exchangeId: number): Promise<CallSettings | undefined> {
  const [[settings], extensions, numbers, places, empty, rates, forms] = await Promise.all([
    db.query<ExchangeSettings>(
      sql`select id, sip_domain as "sipDomain", time_zone as "timeZone", record_calls as "recordCalls",
         record_inbound as "recordInbound", record_outbound as "recordOutbound", record_internal as "recordInternal",
         default_caller_id as "defaultCallerId", ring_seconds as "ringSeconds",
         international_calls as "internationalCalls", premium_calls as "premiumCalls", emergency_numbers as "emergencyNumbers",
         monthly_spending_limit::double precision as "monthlySpendingLimit",
         hourly_spending_limit::double precision as "hourlySpendingLimit",
         hourly_spending_alarm::double precision as "hourlySpendingAlarm",
         extension_hourly_alarm::double precision as "extensionHourlyAlarm",
         unusual_spending_alarm as "unusualSpendingAlarm", calls_at_once_alarm as "callsAtOnceAlarm",
         extension_calls_alarm as "extensionCallsAlarm",
         program_record_keys as "programRecordKeys", channel_limit as "channelLimit",
         max_call_seconds as "maxCallSeconds", program_url as "programUrl",
         program_spare_target as "programSpareTarget", office_hours as "officeHours",
         office_switch as "officeSwitch", office_by_phone as "officeByPhone", breaks
       from exchanges where id = $1`,
      [exchangeId],
    ),
    db.query<ExtensionSettings>(
      sql`select number, name, active, dnd, record_calls as "recordCalls", max_calls as "maxCalls",
         outbound_caller_id as "outboundCallerId", withhold_number as "withholdNumber", may_call as "mayCall",
         forward_always as "forwardAlways", forward_busy as "forwardBusy",
         forward_no_answer as "forwardNoAnswer", forward_unreachable as "forwardUnreachable",
         no_answer_seconds as "noAnswerSeconds", srtp,
         coalesce(codecs, (select x.codecs from exchanges x where x.id = exchange_id)) as codecs,
         exists (select from mailboxes where extension_id = extensions.id and active) as "hasMailbox",
         exists (select from push_subscriptions p join staff_sessions s on s.id = p.session_id
           join staff on staff.id = s.staff_id and staff.active
           where p.exchange_id = $1 and staff.extension_id = extensions.id) as "canBeWoken"
       from extensions where exchange_id = $1`,
      [exchangeId],
    ),
    db.query<OwnNumber>(
      sql`select number, description, target, closed_target as "closedTarget", fax_target as "faxTarget",
         office_hours as hours
       from external_numbers where exchange_id = $1 order by id`,
      [exchangeId],
    ),
    db.query<{ number: string; place: InsidePlace }>(
      sql`select number, 'group' as place from ring_groups where exchange_id = $1
       union all select number, 'queue' from queues where exchange_id = $1
       union all select number, 'ivr' from menus where exchange_id = $1`,
      [exchangeId],
    ),
    db.query<{ list: CallList }>(
      sql`select 'blocked numbers' as list where not exists (select from blocked_numbers where exchange_id = $1)
       union all select 'holidays' where not exists (select from holidays where exchange_id = $1)
       union all select 'contacts' where not exists (select from contacts where exchange_id = $1)`,
      [exchangeId],
    ),
    listCallRates(db, exchangeId),
    readFormsChosen(db, exchangeId),
  ]);
  if (!settings) return undefined;
  return {
    settings,
    rates,
    forms,
    extensions: new Map(extensions.map((it) => [it.number, it])),
    numbers: new Map(numbers.map((it) => [it.number, it])),
    places: new Map(places.map(({ number, place }) => [number, place])),
    empty: new Set(empty.map(({ list }) => list)),
  };
}

async function readFormsChosen(db: Db, exchangeId: number): Promise<FormsChosen> {
  const rows = await db.query<FormRef & { where: "place" | "inbound" | "outbound"; number: string }>(
    sql`select chosen.where, chosen.number, forms.id,
       (select max(version) from form_versions where form_id = forms.id) as version
     from (select 'place' as where, number, form_id from queues where exchange_id = $1
       union all select 'place', number, form_id from ring_groups where exchange_id = $1
       union all select 'inbound', '', inbound_form_id from exchanges where id = $1
       union all select 'outbound', '', outbound_form_id from exchanges where id = $1) chosen
     join forms on forms.exchange_id = $1 and forms.id = chosen.form_id and forms.active`,
    [exchangeId],
  );
  const chosen: FormsChosen = { places: new Map() };
  for (const { where, number, id, version } of rows)
    if (where === "place") chosen.places.set(number, { id, version });
    else chosen[where] = { id, version };
  return chosen;
}

export async function isBlocked(
  db: Db,
  { exchangeId, number, direction }: { exchangeId: number; number: string; direction: "inbound" | "outbound" },
): Promise<boolean> {
  const found = await db.query(
    sql`select 1 from blocked_numbers where exchange_id = $1 and number = $2 and direction = $3`,
    [exchangeId, number, direction],
  );
  return found.length > 0;
}

export type Holiday = { description: string; target: string | null };

/** Of that number, or of the whole exchange: what is said of the number itself comes first. */
export async function findHoliday(
  db: Db,
  { exchangeId, number, day }: { exchangeId: number; number: string; day: string },
): Promise<Holiday | undefined> {
  const [found] = await db.query<Holiday>(
    sql`select description, target from holidays
     where exchange_id = $1 and (number = $2 or number is null) and $3::date between day and coalesce(last_day, day)
     order by number nulls last limit 1`,
    [exchangeId, number, day],
  );
  return found;
}
