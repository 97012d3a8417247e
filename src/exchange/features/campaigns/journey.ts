// One called person's way through a campaign's call: may he be rung, the dialling, and the script once he has answered.

import type { Led } from "../../calls/call.ts";
import type { Guide } from "../../lead/guide.ts";
import { leadOutside } from "../../lead/outside.ts";
import { readNumber } from "../../plan/numbers.ts";
import type { Campaign, CampaignCall, CampaignNumber } from "./campaign.ts";
import { leadCampaignCall } from "./campaign-call.ts";

/** What a campaign's call carries with it. */
export type Journey = Omit<CampaignCall, "guide"> & {
  campaign: Campaign;
  number: CampaignNumber;
  callerId: string;
  /** Whether the law and the person let us ring, asked at the last moment. */
  mayRing(): Promise<boolean>;
  /** The INVITE is on its way. */
  left(): void;
  /** Kept once it is written down that the person answered: not a word before that. */
  answered(): Promise<void>;
};

export async function leadToCalledPerson(
  guide: Guide,
  { campaign, number, callerId, mayRing, left }: Journey,
): Promise<Led> {
  if (!(await mayRing())) {
    guide.call.tell({ is: "no-consent", number: number.number });
    return { failed: { cause: "NOT_ALLOWED_BY_IYS" } };
  }
  const read = readNumber(number.number);
  if (read.is === "invalid" || read.is === "service") return { failed: { cause: "INVALID_NUMBER_FORMAT" } };
  return leadOutside(guide, { number: read, callerId, name: "", seconds: campaign.ringSeconds, left });
}

export async function leadCalledPerson(guide: Guide, journey: Journey): Promise<Led> {
  const { campaign, number, answered, ...call } = journey;
  guide.call.answered(undefined);
  await guide.line().until(answered());
  const { led } = await leadCampaignCall({ ...call, guide }, campaign, number);
  return led;
}
