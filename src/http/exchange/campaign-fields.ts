// The fields of a new campaign, and the rules they obey beyond their own form.

import { type Static, Type } from "typebox";
import { checkTarget } from "../../exchange/plan/checked-target.ts";
import { localTime } from "../../exchange/plan/hours.ts";
import { storedForm } from "../../exchange/plan/numbers.ts";
import { isBadTarget, isNamedTarget, parseTarget } from "../../exchange/plan/target.ts";
import { campaign } from "../../nouns/campaign.ts";
import { LONGEST_TARGET, LONGEST_URL } from "../../nouns/field.ts";
import { RECIPIENT_TYPES } from "../../sms/consent.ts";
import { languages } from "../../speech/language.ts";
import { findAnnouncement } from "../../store/announcements.ts";
import { type CreationRules, readCreationRules } from "../../store/campaign-settings.ts";
import type { CampaignKey, NewCampaign } from "../../store/campaigns.ts";
import { listExternalNumbers } from "../../store/external-numbers.ts";
import { listMenus } from "../../store/menus.ts";
import { findQueue, queueCalled } from "../../store/queues.ts";
import { titleOfBrand } from "../../store/sms-titles.ts";
import { checkUrl } from "../../webhooks/guard.ts";
import { refuse } from "../door/answer.ts";
import type { Context } from "../door/context.ts";
import type { Refused } from "../door/endpoint.ts";
import { readDay } from "../door/stamps.ts";
import { entries, flag, oneOf, telephone, wholeNumber, wholeNumbers, words } from "../parameters/schema.ts";

const target = (description: string) => Type.Optional(words({ longest: LONGEST_TARGET, description }));
const optionalNumber = ({ least, most }: { least: number; most: number }, description: string) =>
  Type.Optional(wholeNumber({ least, most, description }));
const { fields: settable } = campaign;

/** Which field names the target of which key. */
const targetFields = {
  digit_target_0: "0",
  digit_target_1: "1",
  digit_target_2: "2",
  digit_target_3: "3",
  digit_target_4: "4",
  digit_target_5: "5",
  digit_target_6: "6",
  digit_target_7: "7",
  digit_target_8: "8",
  digit_target_9: "9",
  digit_target_star: "*",
  digit_target_square: "#",
  timeout_target: "timeout",
  invalid_target: "invalid",
} as const satisfies Record<string, CampaignKey>;

type TargetField = keyof typeof targetFields;

const said: Partial<Record<TargetField, string>> = {
  digit_target_star: "where * leads",
  digit_target_square: "where # leads",
  timeout_target: "where no key at all leads, once digit_retries are used up",
  invalid_target: "where keys without a target lead, once digit_retries are used up",
};

const targetParameters = Object.fromEntries(
  Object.entries(targetFields).map(([field, key]) => [
    field,
    target(said[field as TargetField] ?? `where key ${key} leads`),
  ]),
) as Record<TargetField, ReturnType<typeof target>>; // built from the table's own keys

export const campaignParameters = Type.Object({
  name: words({ example: "Memnuniyet anketi" }),
  call_type: oneOf(["queue", "ivr"], { description: "queue: answered calls go to a queue; ivr: keys decide" }),
  phone_list: entries(
    { phone: { type: "string" }, phrase: { type: "string" }, lang: { type: "string" } },
    {
      description: `up to 100,000 numbers, each with \`phone\` and optionally \`phrase\` and \`lang\` (${languages.join(", ")})`,
      example: [{ phone: "905321234567", phrase: "#456 15/11/2017 73.56" }],
    },
  ),
  queue_number: Type.Optional(words({ description: "queue campaigns: the queue that answered calls go to" })),
  thread_multiplier: optionalNumber(
    settable.perAgent,
    "queue campaigns: calls at once as a multiple of the agents; 1 unless said",
  ),
  max_thread_count: optionalNumber(settable.atOnce, "calls at once; the exchange's channels for campaigns unless said"),
  date_range_begin: Type.Optional(words({ description: "YYYY-MM-DD; today unless said" })),
  date_range_end: Type.Optional(words({ description: "YYYY-MM-DD; date_range_begin unless said" })),
  time_range_begin: Type.Optional(words({ description: "HH:MM; 00:00 unless said" })),
  time_range_end: Type.Optional(words({ description: "HH:MM; 23:59 unless said. Before the begin: the next day" })),
  active_days: Type.Optional(wholeNumbers({ most: 7, description: "1 is Monday, 7 Sunday; every day unless said" })),
  ring_timeout: optionalNumber(settable.ringSeconds, `seconds; ${settable.ringSeconds.default} unless said`),
  cli: Type.Optional(telephone({ description: "the number of yours that is shown" })),
  welcome_announcement_id: optionalNumber(
    { least: 1, most: Number.MAX_SAFE_INTEGER },
    "the sound that is played before a key is awaited",
  ),
  call_retries: optionalNumber(
    settable.callRetries,
    "further attempts on busy, unreachable and no answer; 0 unless said",
  ),
  webhook_url: Type.Optional(
    words({ longest: LONGEST_URL, description: "told of every key; must answer an empty POST" }),
  ),
  ...targetParameters,
  digit_retries: optionalNumber(settable.keyRetries, "how often the menu is repeated; 0 unless said"),
  digit_timeout: optionalNumber(settable.keySeconds, `seconds; ${settable.keySeconds.default} unless said`),
  is_commercial: Type.Optional(flag({ description: "whether the calls sell something" })),
  iys_recipient_type: Type.Optional(oneOf(RECIPIENT_TYPES, { description: "commercial campaigns" })),
  iys_brand_code: Type.Optional(words({ description: "commercial campaigns: the brand code of one of your titles" })),
  recording_enabled: Type.Optional(words({ description: "true or t: record from the start of the call" })),
  detect_machines: Type.Optional(flag({ description: "hang up on answering machines; off unless said" })),
  max_abandoned_percent: optionalNumber(
    settable.abandonedPercent,
    "queue campaigns: answered calls that may find no agent; 3 unless said",
  ),
});

export type CampaignFields = Static<typeof campaignParameters>;

type Checked<Value> = Value | Refused;
export type CheckedCampaign = Omit<NewCampaign, "createdMs">;

/** Everything but the numbers and the trial POST. */
export async function readCampaign(fields: CampaignFields, context: Context): Promise<Checked<CheckedCampaign>> {
  const rules = await readCreationRules(context.db, context.exchangeId);
  if (!rules.multiLine && (fields.max_thread_count ?? 1) > 1) return refuse({ refused: "one-line-only" });
  const parts = [
    readHours(fields, context),
    await readTargets(fields, context, rules),
    await readQueue(fields, context),
    await readCli(fields, context),
    await readConsent(fields, context),
    readUrl(fields),
    await readWelcome(fields, context),
  ] as const;
  const refusal = parts.find((part): part is Refused => "says" in part);
  if (refusal) return refusal;
  const percent = fields.max_abandoned_percent ?? settable.abandonedPercent.default;
  return Object.assign(
    {
      exchangeId: context.exchangeId,
      name: fields.name,
      callType: fields.call_type,
      threadMultiplier: fields.thread_multiplier ?? settable.perAgent.default,
      maxThreadCount: rules.multiLine ? (fields.max_thread_count ?? null) : 1,
      ringSeconds: fields.ring_timeout ?? settable.ringSeconds.default,
      callRetries: fields.call_retries ?? settable.callRetries.default,
      digitRetries: fields.digit_retries ?? settable.keyRetries.default,
      digitTimeoutSeconds: fields.digit_timeout ?? settable.keySeconds.default,
      recordingEnabled: ["true", "t"].includes(fields.recording_enabled?.toLowerCase() ?? ""),
      detectsMachines: fields.detect_machines ?? false,
      abandonCap: percent / 100,
    },
    // None of them is a refusal, as was just seen; together they are the rest of a campaign.
    ...parts,
  ) as CheckedCampaign;
}

type Of<Field extends keyof CheckedCampaign> = Pick<CheckedCampaign, Field>;

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

function readHours(
  fields: CampaignFields,
  { tenant, clock }: Context,
): Checked<Of<"dateBegin" | "dateEnd" | "timeBegin" | "timeEnd" | "activeDays">> {
  const dateBegin = fields.date_range_begin ?? localTime(clock.wall(), tenant.timeZone).day;
  const dateEnd = fields.date_range_end ?? dateBegin;
  const [begin, end] = [readDay(dateBegin), readDay(dateEnd)];
  if (begin === undefined) return refuse({ refused: "misfit", field: "date_range_begin", value: dateBegin });
  if (end === undefined) return refuse({ refused: "misfit", field: "date_range_end", value: dateEnd });
  if (end < begin) return refuse({ refused: "range-reversed" });
  const {
    time_range_begin: timeBegin = settable.timeBegin.default,
    time_range_end: timeEnd = settable.timeEnd.default,
  } = fields;
  if (!TIME.test(timeBegin)) return refuse({ refused: "misfit", field: "time_range_begin", value: timeBegin });
  if (!TIME.test(timeEnd)) return refuse({ refused: "misfit", field: "time_range_end", value: timeEnd });
  const days = [...new Set(fields.active_days ?? settable.days.default)].sort();
  if (days.some((day) => day < 1 || day > 7))
    return refuse({ refused: "out-of-range", field: "active_days", least: 1, most: 7 });
  const activeDays = days.length === 0 ? [...settable.days.default] : days;
  return {
    dateBegin: begin,
    dateEnd: end,
    timeBegin: timeBegin.padStart(5, "0"),
    timeEnd: timeEnd.padStart(5, "0"),
    activeDays,
  };
}

async function readTargets(
  fields: CampaignFields,
  context: Context,
  { strictTargets }: CreationRules,
): Promise<Checked<Of<"targets">>> {
  const targets: Partial<Record<CampaignKey, string>> = {};
  for (const [field, key] of Object.entries(targetFields) as [TargetField, CampaignKey][]) {
    const sent = fields[field];
    if (sent === undefined) continue;
    const place = await readTarget(sent, context);
    if (place === undefined) return refuse({ refused: "misfit", field, value: sent });
    targets[key] = place;
  }
  const needed = fields.call_type === "ivr" || strictTargets;
  if (needed && Object.keys(targets).length === 0) return refuse({ refused: "no-digit-target" });
  return { targets };
}

/** In the slash form; a place that is named is found by its name now, once. Undefined: there is no such place. */
async function readTarget(sent: string, { db, exchangeId }: Context): Promise<string | undefined> {
  const target = parseTarget(sent);
  if (isBadTarget(target)) return undefined;
  if (!isNamedTarget(target)) {
    const checked = await checkTarget(sent, "campaign", { db, exchangeId });
    const isNumber = target.to !== "external" || storedForm(target.number) !== undefined;
    return "target" in checked && isNumber ? checked.target : undefined;
  }
  const places =
    target.named === "queue" ? [await queueCalled(db, exchangeId, target.name)] : await listMenus(db, exchangeId);
  const found = places.find((place) => place?.name.toLowerCase() === target.name.toLowerCase());
  return found && `${target.named}/${found.number}`;
}

async function readQueue(fields: CampaignFields, { db, exchangeId }: Context): Promise<Checked<Of<"queueNumber">>> {
  if (fields.call_type === "ivr") return { queueNumber: null };
  if (fields.queue_number === undefined) return refuse({ refused: "blank", field: "queue_number" });
  const queue = await findQueue(db, exchangeId, fields.queue_number);
  if (!queue) return refuse({ refused: "queue-not-found", queue: fields.queue_number });
  return { queueNumber: queue.number };
}

async function readCli(fields: CampaignFields, { db, exchangeId }: Context): Promise<Checked<Of<"cli">>> {
  const own = await listExternalNumbers(db, exchangeId);
  if (fields.cli === undefined) return own.length > 0 ? { cli: null } : refuse({ refused: "blank", field: "cli" });
  const cli = storedForm(fields.cli);
  const found = own.some(({ number }) => number === cli);
  return cli !== undefined && found ? { cli } : refuse({ refused: "misfit", field: "cli", value: fields.cli });
}

async function readConsent(
  fields: CampaignFields,
  { db, exchangeId }: Context,
): Promise<Checked<Of<"isCommercial" | "recipientType" | "brandCode">>> {
  if (!fields.is_commercial) return { isCommercial: false, recipientType: null, brandCode: null };
  const { iys_recipient_type: recipientType, iys_brand_code: brand } = fields;
  if (recipientType === undefined) return refuse({ refused: "blank", field: "iys_recipient_type" });
  if (brand === undefined) return refuse({ refused: "blank", field: "iys_brand_code" });
  const brandCode = /^\d{1,9}$/.test(brand) ? Number(brand) : 0;
  if (!(await titleOfBrand(db, exchangeId, brandCode)))
    return refuse({ refused: "misfit", field: "iys_brand_code", value: brand });
  return { isCommercial: true, recipientType, brandCode };
}

function readUrl({ webhook_url: url }: CampaignFields): Checked<Of<"webhookUrl">> {
  if (url === undefined) return { webhookUrl: null };
  // Whether its address may be called is decided at every call; here only what could never be called is refused.
  if ("refused" in checkUrl(url, { privateAllowed: true }))
    return refuse({ refused: "misfit", field: "webhook_url", value: url });
  return { webhookUrl: url };
}

async function readWelcome(
  { welcome_announcement_id: id }: CampaignFields,
  context: Context,
): Promise<Checked<Of<"welcomeAnnouncementId">>> {
  const missing = id === undefined ? undefined : await missingSound([id], context);
  return missing ?? { welcomeAnnouncementId: id ?? null };
}

export async function missingSound(ids: Iterable<number>, { db, exchangeId }: Context): Promise<Refused | undefined> {
  for (const id of ids)
    if (!(await findAnnouncement(db, exchangeId, id))) return refuse({ refused: "announcement-not-found", id });
  return undefined;
}
