// The messaging half of a server: the message centre with its carriers.

import type { Arrears } from "../arrears/arrears.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { shut } from "../sms/carrier.ts";
import { openSandbox } from "../sms/carriers/sandbox.ts";
import { openSmpp } from "../sms/carriers/smpp/smpp.ts";
import { openMessageCentre } from "../sms/centre.ts";
import { smsChores } from "../sms/chores.ts";
import { localRegistry } from "../sms/registry.ts";
import type { Database } from "../store/db.ts";
import { letterWords } from "../words/letters/words.ts";
import type { Closable } from "./parts.ts";

export type SmsNeeds = {
  config: Config;
  db: Database;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  arrears: Arrears;
  /** Of this node, where several share the database. */
  life?: number | undefined;
};

export async function openSms({ config, db, secrets, clock, log, arrears, life }: SmsNeeds): Promise<Closable> {
  // Where the operator wants no sandbox, its messages wait for a real carrier until they expire.
  const carriers = { sandbox: config.sandbox === "off" ? () => shut : openSandbox, smpp: openSmpp };
  const chores = smsChores({ db, clock, log, registry: localRegistry, words: letterWords });
  const centre = await openMessageCentre({ db, secrets, clock, log, carriers, chores, arrears, life });
  return { close: () => centre.close() };
}
