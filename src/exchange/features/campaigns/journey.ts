// One called person's way through a campaign's call: may he be rung, the dialling, and the script once he has answered.

import type { Led } from "../../calls/call.ts";
import type { Guide } from "../../lead/guide.ts";
import type { Tape } from "../../lead/line.ts";
import type { LeadOutside } from "../../lead/outside.ts";
import { type GoalScripts, noSuchPlace, type TargetScripts } from "../../lead/scripts.ts";
import { type PhoneNumber, phoneNumber } from "../../plan/numbers.ts";
import type { Campaign, CampaignCall, CampaignNumber } from "./campaign.ts";
import { leadCampaignCall } from "./campaign-call.ts";

/** What a campaign's call carries with it. */
export type Journey = Omit<CampaignCall, "guide" | "tape"> & {
  campaign: Campaign;
  number: CampaignNumber;
  callerId: PhoneNumber;
  /** Whether the law and the person let us ring, asked at the last moment. */
  mayRing(): Promise<boolean>;
  /** The INVITE is on its way. */
  left(): void;
  /** Kept once it is written down that the person answered: not a word before that. */
  answered(): Promise<void>;
};

declare module "../../calls/goal.ts" {
  interface Goals {
    /** Somebody a campaign rings, and then, once he has answered, its script. */
    "called person": { journey: Journey };
    campaign: { journey: Journey };
  }
}

export function campaignScripts({ outside, tape }: { outside: LeadOutside; tape: Tape }): {
  goals: Pick<GoalScripts, "called person" | "campaign">;
  targets: Pick<TargetScripts, "optout">;
} {
  return {
    goals: {
      "called person": (guide, { journey }) => leadToCalledPerson(outside, guide, journey),
      campaign: (guide, { journey }) => leadCalledPerson(tape, guide, journey),
    },
    targets: { optout: noSuchPlace }, // where it makes sense the campaign's own script sees to it
  };
}

async function leadToCalledPerson(
  outside: LeadOutside,
  guide: Guide,
  { campaign, number, callerId, mayRing, left }: Journey,
): Promise<Led> {
  if (!(await mayRing())) {
    guide.call.tell(`${number.number} has not consented to calls`);
    return { failed: { cause: "NOT_ALLOWED_BY_IYS" } };
  }
  const read = phoneNumber(number.number);
  if (!read) return { failed: { cause: "INVALID_NUMBER_FORMAT" } };
  return outside(guide, { number: read, callerId, name: "", seconds: campaign.ringSeconds, left });
}

async function leadCalledPerson(tape: Tape, guide: Guide, journey: Journey): Promise<Led> {
  const { campaign, number, answered, ...call } = journey;
  guide.call.answered(undefined);
  await guide.line().until(answered());
  const { led } = await leadCampaignCall({ ...call, guide, tape }, campaign, number);
  return led;
}
