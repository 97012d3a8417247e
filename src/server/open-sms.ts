// The messaging half of a server: the message centre with its carriers, and the door of the SMS API.

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { clientAddressBehind } from "../http/door/client-address.ts";
import { rateLimit } from "../http/door/rate-limit.ts";
import { requestBodies } from "../http/door/request-body.ts";
import { smsPlugin } from "../http/sms/routes.ts";
import type { Log } from "../log.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { shut } from "../sms/carrier.ts";
import { openSandbox } from "../sms/carriers/sandbox.ts";
import { openSmpp } from "../sms/carriers/smpp/smpp.ts";
import { openMessageCentre } from "../sms/centre.ts";
import { smsChores } from "../sms/chores.ts";
import { localRegistry } from "../sms/registry.ts";
import type { Database } from "../store/db.ts";

export type SmsNeeds = { config: Config; db: Database; secrets: Secrets; clock: Clock; log: Log };

export type Sms = { plugin: ReturnType<typeof smsPlugin>; close(): Promise<void> };

export async function openSms({ config, db, secrets, clock, log }: SmsNeeds): Promise<Sms> {
  // Where the operator wants no sandbox, its messages wait for a real carrier until they expire.
  const carriers = { sandbox: config.sandbox === "off" ? () => shut : openSandbox, smpp: openSmpp };
  const chores = smsChores({ db, clock, log, registry: localRegistry });
  const centre = await openMessageCentre({ db, secrets, clock, log, carriers, chores });
  const plugin = smsPlugin({
    ...{ db, clock, log },
    limit: rateLimit(clock),
    clientAddress: clientAddressBehind(config.trustedProxies),
    readRequestBody: requestBodies(),
  });
  return { plugin, close: () => centre.close() };
}
