// Every single write that must be done once though the database is away, of all features, under the name it has on disk.

import type { Arrears } from "../arrears/arrears.ts";
import { type OpenErrands, openErrands } from "../arrears/errands.ts";
import type { Clock } from "../clock.ts";
import { consentErrands } from "../exchange/features/campaigns/consent.ts";
import { faxOrderErrands } from "../exchange/features/faxes/fax-order-errands.ts";
import { arrivedFaxErrands } from "../exchange/features/faxes/fax-service.ts";
import { queueErrands } from "../exchange/features/queues/queue-store.ts";
import { voicemailErrands } from "../exchange/features/voicemail/voicemail.ts";
import { helpErrands } from "../exchange/lead/help.ts";
import { spendingErrands } from "../exchange/spending/spending.ts";
import type { Log } from "../log.ts";
import type { Database } from "../store/db.ts";

const kinds = {
  ...spendingErrands,
  ...helpErrands,
  ...queueErrands,
  ...voicemailErrands,
  ...consentErrands,
  ...faxOrderErrands,
  ...arrivedFaxErrands,
};

export type ExchangeErrands = OpenErrands<typeof kinds>;

export type ErrandsNeeds = { db: Database; clock: Clock; log: Log; arrears: Pick<Arrears, "stream"> };

/** What the last life could not do is done before anything looks at what it left. */
export async function openExchangeErrands({ db, clock, log, arrears }: ErrandsNeeds): Promise<ExchangeErrands> {
  const errands = openErrands({ db, clock, log, kinds, arrears: await arrears.stream("errands") });
  await errands.caughtUp();
  return errands;
}
