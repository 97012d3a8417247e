// A campaign as the console's form describes it, in the words of the exchange's own interface.

import { type Static, Type } from "typebox";
import { RECIPIENT_TYPES } from "../../../sms/consent.ts";
import { readCsv } from "../operation/spreadsheet.ts";
import { day, idOrNothing, name, orNothing, timeOfDay, weekdays, whole, wholeOrNothing } from "./fields.ts";

const LONGEST_TARGET = 1_100;
const target = () => orNothing(LONGEST_TARGET);

export const campaignWish = Type.Object({
  name: name(),
  kind: Type.Enum(["queue", "ivr"]),
  queue: orNothing(8),
  /** A line a number, if need be with its own phrase beside it; or many numbers in a line. */
  numbers: Type.String({ maxLength: 4_000_000 }),
  cli: orNothing(32),
  sound: idOrNothing(),
  /** Spoken to whoever has no phrase of his own. */
  phrase: orNothing(1_000),
  language: Type.Enum(["tr-TR", "en-US", "ar-XA"]),
  dateBegin: day(),
  dateEnd: day(),
  timeBegin: timeOfDay(),
  timeEnd: timeOfDay(),
  days: weekdays(),
  keys: Type.Record(Type.String({ pattern: "^[0-9*#]$" }), Type.String({ maxLength: LONGEST_TARGET })),
  noKey: target(),
  otherKey: target(),
  keyRetries: whole(0, 10),
  keySeconds: whole(1, 10),
  ringSeconds: whole(25, 60),
  callRetries: whole(0, 10),
  /** Nothing: as many as the exchange lets campaigns have. */
  atOnce: wholeOrNothing(1, 1_000),
  perAgent: whole(1, 100),
  abandonedPercent: whole(0, 100),
  commercial: Type.Boolean(),
  recipientType: Type.Enum([...RECIPIENT_TYPES]),
  brandCode: orNothing(9),
  webhook: orNothing(2_000),
  record: Type.Boolean(),
  detectMachines: Type.Boolean(),
});

export type CampaignWish = Static<typeof campaignWish>;

const keyFields: Partial<Record<string, string>> = { "*": "digit_target_star", "#": "digit_target_square" };

export function campaignFields(wish: CampaignWish): object {
  const keys = Object.entries(wish.keys).map(([key, target]) => [keyFields[key] ?? `digit_target_${key}`, target]);
  const optional = {
    ...{ cli: wish.cli, welcome_announcement_id: wish.sound, webhook_url: wish.webhook, max_thread_count: wish.atOnce },
    ...{ timeout_target: wish.noKey, invalid_target: wish.otherKey, ...Object.fromEntries(keys) },
    ...(wish.kind === "queue" ? queueFields(wish) : {}),
    ...(wish.commercial ? { iys_recipient_type: wish.recipientType, iys_brand_code: wish.brandCode } : {}),
  };
  return {
    ...{ name: wish.name, call_type: wish.kind, phone_list: phoneList(wish), active_days: wish.days },
    ...{ date_range_begin: wish.dateBegin, date_range_end: wish.dateEnd },
    ...{ time_range_begin: wish.timeBegin, time_range_end: wish.timeEnd },
    ...{ digit_retries: wish.keyRetries, digit_timeout: wish.keySeconds },
    ...{ ring_timeout: wish.ringSeconds, call_retries: wish.callRetries },
    ...{ is_commercial: wish.commercial, recording_enabled: String(wish.record), detect_machines: wish.detectMachines },
    // What was left empty in the form was not said.
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null && value !== "")),
  };
}

function queueFields({ queue, perAgent, abandonedPercent }: CampaignWish): object {
  return { queue_number: queue, thread_multiplier: perAgent, max_abandoned_percent: abandonedPercent };
}

const NUMBER = /^\+?[\d\s()./-]{3,}$/;

function phoneList({ numbers, phrase, language }: CampaignWish): { phone: string; phrase: string; lang: string }[] {
  const one = (phone: string, own = "") => ({ phone, phrase: own || (phrase ?? ""), lang: language });
  const [first, ...rest] = readCsv(numbers);
  const isHead = first !== undefined && rest.length > 0 && !/\d/.test(first[0] ?? "");
  return (isHead || !first ? rest : [first, ...rest]).flatMap((row) =>
    row.every((cell) => NUMBER.test(cell)) ? row.map((cell) => one(cell)) : [one(row[0] ?? "", row[1])],
  );
}
