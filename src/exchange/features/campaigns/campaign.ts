// The words the parts of automatic calling share: a campaign, a number of it, one call to it, and what came of that.

import type { Campaign, CampaignKey, CampaignNumber } from "../../../store/campaigns.ts";
import type { Led } from "../../calls/call.ts";
import type { Tape } from "../../lead/attendant.ts";
import type { Guide } from "../../lead/guide.ts";

export type { Campaign, CampaignKey, CampaignNumber };

/** One call of a campaign, as the script that leads the called person sees it. */
export type CampaignCall = {
  guide: Guide<{ tape: Tape }>;
  /**
   * To be told of each key the moment it is known, in the interface's writing: `2` a key that leads somewhere, `-` none
   * in time, `!4` a key that leads nowhere. Told at once, because the person may hang up in the next breath.
   */
  pressed(digit: string): void;
  /** Where the person is taken now, as a target is written; the last one counts. */
  reached(target: string): void;
  /** An answering machine took the call. */
  heardMachine(): void;
  /** The person wants no such calls any more: written down before the promise is kept. */
  optOut(): Promise<void>;
};

export type CampaignCallOutcome = {
  /** What the call machine does next: the person talks with somebody, or the call is over. */
  led: Led;
  /** The last key, as it was told to `pressed`; empty when none was asked for. */
  digit: string;
  /** Where the person ended up; null when nowhere. */
  target: string | null;
};

/**
 * Leads a person who has just answered: welcome or phrase, key, target. When the person hangs up it throws `CallerGone`
 * like every script; what was told to the call until then is what counts.
 */
export type LeadCampaignCall = (
  call: CampaignCall,
  campaign: Campaign,
  number: CampaignNumber,
) => Promise<CampaignCallOutcome>;
