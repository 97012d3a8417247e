// A campaign as the console's form describes it, in the words of the exchange's own interface.

import { type Static, Type } from "typebox";
import { turn } from "../../../in-turns.ts";
import { campaign } from "../../../nouns/campaign.ts";
import type { Field } from "../../../nouns/field.ts";
import { MOST_NUMBERS } from "../../exchange/campaign-numbers.ts";
import { csvRows } from "../operation/spreadsheet.ts";
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
export async function campaignFields(wanted: CampaignOrder): Promise<object> {
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
  return {
    ...Object.fromEntries(given),
    phone_list: await phoneList(wanted),
    recording_enabled: String(wanted.record),
  };
}

const NUMBER = /^\+?[\d\s()./-]{3,}$/;

type Listed = { phone: string; phrase: string; lang: string };

/** No further than it takes to see that they are too many. */
async function phoneList({ numbers, phrase, language }: CampaignOrder): Promise<Listed[]> {
  const one = (phone: string, own = "") => ({ phone, phrase: own || (phrase ?? ""), lang: language });
  const inRow = (row: readonly string[]) =>
    row.every((cell) => NUMBER.test(cell)) ? row.map((cell) => one(cell)) : [one(row[0] ?? "", row[1])];
  const found: Listed[] = [];
  let head: string[] | undefined;
  let rows = 0;
  for (const row of csvRows(numbers)) {
    if (!row) await turn();
    else if (rows++ === 0 && !/\d/.test(row[0] ?? "")) head = row;
    else found.push(...inRow(row));
    if (found.length > MOST_NUMBERS) return found;
  }
  // One line by itself is no heading.
  return head && rows === 1 ? inRow(head) : found;
}
