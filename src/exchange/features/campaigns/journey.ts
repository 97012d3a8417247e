// One called person's way through a campaign's call: may he be rung, the dialling, and the script once he has answered.

import type { Led } from "../../calls/call.ts";
import type { Tape } from "../../lead/attendant.ts";
import type { Guide } from "../../lead/guide.ts";
import { leadOutside, type OutsideNeeds } from "../../lead/outside.ts";
import { noSuchPlace, type SomeScripts } from "../../lead/scripts.ts";
import { type PhoneNumber, phoneNumber } from "../../plan/numbers.ts";
import type { Campaign, CampaignCall, CampaignNumber } from "./campaign.ts";
import { leadCampaignCall } from "./campaign-call.ts";

/** What a campaign's call carries with it. */
export type Journey = Omit<CampaignCall, "guide"> & {
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

type CampaignNeeds = OutsideNeeds & { tape: Tape };

export function campaignScripts(needs: CampaignNeeds) {
  return {
    goals: {
      "called person": (guide, { journey }) => leadToCalledPerson(guide.having(needs), journey),
      campaign: (guide, { journey }) => leadCalledPerson(guide.having(needs), journey),
    },
    targets: { optout: noSuchPlace }, // where it has its place, the campaign's own script sees to it
  } satisfies SomeScripts;
}

async function leadToCalledPerson(
  guide: Guide<OutsideNeeds>,
  { campaign, number, callerId, mayRing, left }: Journey,
): Promise<Led> {
  if (!(await mayRing())) {
    guide.call.tell({ is: "no-consent", number: number.number });
    return { failed: { cause: "NOT_ALLOWED_BY_IYS" } };
  }
  const read = phoneNumber(number.number);
  if (!read) return { failed: { cause: "INVALID_NUMBER_FORMAT" } };
  const { id, name, ringSeconds: seconds } = campaign;
  return leadOutside(guide, { number: read, callerId, name: "", seconds, left, campaign: { id, name } });
}

async function leadCalledPerson(guide: Guide<{ tape: Tape }>, journey: Journey): Promise<Led> {
  const { campaign, number, answered, ...call } = journey;
  guide.call.answered(undefined);
  guide.call.heard({ first: true });
  await guide.attendant().until(answered());
  const { led } = await leadCampaignCall({ ...call, guide }, campaign, number);
  return led;
}
