// A campaign as the console's form describes it, in the words of the exchange's own interface.

import { type Static, Type } from "typebox";
import { readCsv } from "../spreadsheet.ts";
import { day, idOrNothing, name, orNothing, timeOfDay, weekdays } from "./fields.ts";

const target = () => orNothing(1_100);

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
  key1: target(),
  key2: target(),
  key9: target(),
  noKey: target(),
});

export type CampaignWish = Static<typeof campaignWish>;

export function campaignFields(wish: CampaignWish): object {
  const optional = {
    ...{ queue_number: wish.queue, cli: wish.cli, welcome_announcement_id: wish.sound },
    ...{ digit_target_1: wish.key1, digit_target_2: wish.key2, digit_target_9: wish.key9, timeout_target: wish.noKey },
  };
  return {
    ...{ name: wish.name, call_type: wish.kind, phone_list: phoneList(wish), active_days: wish.days },
    ...{ date_range_begin: wish.dateBegin, date_range_end: wish.dateEnd },
    ...{ time_range_begin: wish.timeBegin, time_range_end: wish.timeEnd },
    // What was left empty in the form was not said.
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null && value !== "")),
  };
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
