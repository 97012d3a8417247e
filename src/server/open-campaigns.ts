// The dialler, joined to the call desk it places its calls at and to the queues whose agents it waits for.

import type { Arrears } from "../arrears/arrears.ts";
import type { Clock } from "../clock.ts";
import type { CallDesk } from "../exchange/call-desk.ts";
import { crewOf } from "../exchange/features/campaigns/crew.ts";
import { type Dialler, openDialler } from "../exchange/features/campaigns/dialler.ts";
import type { SettingsBook } from "../exchange/plan/settings.ts";
import type { Log } from "../log.ts";
import type { ReportUnexpected } from "../machine.ts";
import type { Database } from "../store/db.ts";
import type { ExchangeErrands } from "./open-errands.ts";

export type CampaignsNeeds = {
  db: Database;
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  desk: CallDesk;
  settings: SettingsBook;
  arrears: Pick<Arrears, "stream">;
  errands: ExchangeErrands;
};

export async function openCampaigns({ desk, settings, arrears, ...needs }: CampaignsNeeds): Promise<Dialler> {
  const dialler = await openDialler({
    ...needs,
    arrears: await arrears.stream("campaigns"),
    place: desk.placeCampaignCall,
    goesOn: (exchangeId, callUuid) => desk.live.find(exchangeId, callUuid)?.over,
    crewOf: (exchangeId, queue) => crewOf(desk.queues, exchangeId, queue),
    async channelsFree(exchangeId) {
      const limit = (await settings.of(exchangeId))?.settings.channelLimit ?? null;
      return limit === null ? null : limit - desk.live.outsideLegs(exchangeId);
    },
  });
  desk.queues.onChange(({ exchangeId }) => dialler.look(exchangeId));
  return dialler;
}
