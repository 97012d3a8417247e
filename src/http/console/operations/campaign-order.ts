// A campaign as the console's form describes it, in the words of the exchange's own interface.

import { type Static, Type } from "typebox";
import { campaign } from "../../../nouns/campaign.ts";
import type { Field } from "../../../nouns/field.ts";
import { readCsv } from "../operation/spreadsheet.ts";
import { lines } from "./fields.ts";
import { wholeSchemas } from "./noun-schema.ts";

export const campaignOrder = Type.Object({
  ...wholeSchemas(campaign),
  /** A line a number, if need be with its own phrase beside it; or many numbers in a line. */
  numbers: lines(4_000_000),
});

export type CampaignOrder = Static<typeof campaignOrder>;

const keyFields: Partial<Record<string, string>> = { "*": "digit_target_star", "#": "digit_target_square" };

/** In the interface's own words. What was left empty in the form, or is of another kind of campaign, was not said. */
export function campaignFields(wanted: CampaignOrder): object {
  const { queue, perAgent, abandonedPercent, recipientType, brandCode, ...others } = wanted;
  const said: Partial<CampaignOrder> = {
    ...others,
    ...(wanted.kind === "queue" ? { queue, perAgent, abandonedPercent } : {}),
    ...(wanted.commercial ? { recipientType, brandCode } : {}),
  };
  const { keys: _keys, phrase: _phrase, language: _language, ...named } = campaign.fields;
  const fields = Object.entries<Field>(named).map(([name, { parameter = name }]) => [
    parameter,
    said[name as keyof CampaignOrder],
  ]);
  const keys = Object.entries(wanted.keys).map(([key, target]) => [keyFields[key] ?? `digit_target_${key}`, target]);
  const given = [...fields, ...keys].filter(([, value]) => value !== null && value !== "" && value !== undefined);
  return { ...Object.fromEntries(given), phone_list: phoneList(wanted), recording_enabled: String(wanted.record) };
}

const NUMBER = /^\+?[\d\s()./-]{3,}$/;

function phoneList({ numbers, phrase, language }: CampaignOrder): { phone: string; phrase: string; lang: string }[] {
  const one = (phone: string, own = "") => ({ phone, phrase: own || (phrase ?? ""), lang: language });
  const [first, ...rest] = readCsv(numbers);
  const isHead = first !== undefined && rest.length > 0 && !/\d/.test(first[0] ?? "");
  return (isHead || !first ? rest : [first, ...rest]).flatMap((row) =>
    row.every((cell) => NUMBER.test(cell)) ? row.map((cell) => one(cell)) : [one(row[0] ?? "", row[1])],
  );
}
