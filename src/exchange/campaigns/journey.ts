// One called person's way through a campaign's call: may he be rung, the dialling, and the script once he has answered.

import type { Led } from "../calls/call.ts";
import type { Guide } from "../lead/guide.ts";
import { leadOutside } from "../lead/outside.ts";
import { readNumber } from "../numbers.ts";
import type { Campaign, CampaignCall, CampaignCallOutcome, CampaignKey, CampaignNumber } from "./campaign.ts";

/** What a campaign's call carries with it. */
export type Journey = Omit<CampaignCall, "guide"> & {
  campaign: Campaign;
  number: CampaignNumber;
  callerId: string;
  /** Whether the law and the person let us ring, asked at the last moment. */
  mayRing(): Promise<boolean>;
  /** Kept once it is written down that the person answered: not a word before that. */
  answered(): Promise<void>;
};

export async function leadToCalledPerson(guide: Guide, { campaign, number, callerId, mayRing }: Journey): Promise<Led> {
  if (!(await mayRing())) {
    guide.call.tell(`${number.number} has not consented to calls`);
    return { failed: { cause: "NOT_ALLOWED_BY_IYS" } };
  }
  const read = readNumber(number.number);
  if (read.is === "invalid" || read.is === "service") return { failed: { cause: "INVALID_NUMBER_FORMAT" } };
  return leadOutside(guide, { number: read, callerId, name: "", seconds: campaign.ringSeconds });
}

export async function leadCalledPerson(guide: Guide, journey: Journey): Promise<Led> {
  const { campaign, number, answered, ...call } = journey;
  guide.call.answered(undefined);
  await guide.line().until(answered());
  const { led } = await leadCampaignCall({ ...call, guide }, campaign, number);
  return led;
}

async function leadCampaignCall(
  { guide, pressed, reached }: CampaignCall,
  campaign: Campaign,
  _number: CampaignNumber,
): Promise<CampaignCallOutcome> {
  if (campaign.callType === "queue") return to(`queue/${campaign.queueNumber}`, "");
  const welcome =
    campaign.welcomeAnnouncementId === null ? undefined : await guide.sound(campaign.welcomeAnnouncementId);
  const ms = campaign.digitTimeoutSeconds * 1_000;
  const sounds = welcome ? [welcome] : [];
  const { digits } = await guide.line().collect({ sounds, most: 1, firstMs: ms, betweenMs: ms });
  const target = campaign.targets[(digits || "timeout") as CampaignKey];
  const digit = digits === "" ? "-" : target === undefined ? `!${digits}` : digits;
  pressed(digit);
  return to(target ?? campaign.targets.invalid ?? "hangup/hangup", digit);

  async function to(target: string, digit: string): Promise<CampaignCallOutcome> {
    reached(target);
    return { led: await guide.goTo(target), digit, target };
  }
}
