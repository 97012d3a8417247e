// The console as this server's settings want it: from where it may be opened, and the running parts it looks into.

import { fileURLToPath } from "node:url";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Switchboard } from "../exchange/signalling/switchboard.ts";
import type { ConsoleOptions } from "../http/console/console.ts";
import type { SystemOffice } from "../http/console/operation/system-office.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "../store/db.ts";
import type { Requester } from "../webhooks/requester.ts";
import type { Calls } from "./open-calls.ts";
import { openNodeOffice } from "./open-node-office.ts";
import type { SipDoors } from "./sip-doors.ts";

export type ConsoleNeeds = {
  config: Config;
  secrets: Secrets;
  calls: Calls;
  switchboard: Switchboard;
  doors: Pick<SipDoors, "toldTo">;
  requester: Requester;
  /** Sees every exchange. */
  all: Db;
  clock: Clock;
  system: SystemOffice;
};

export function consoleOf({
  config,
  secrets,
  calls,
  switchboard,
  doors,
  requester,
  all,
  clock,
  system,
}: ConsoleNeeds): ConsoleOptions {
  const { cluster, operators, nodeName: own, nodeSecret } = config;
  const secret = nodeSecret?.secret() ?? "";
  return {
    nodes: cluster && operators !== undefined ? openNodeOffice({ operators, db: all, own, secret, clock }) : undefined,
    system,
    sendsMail: config.smtpUrl !== undefined,
    secrets,
    from: config.consoleFrom,
    pages: fileURLToPath(new URL("./console", import.meta.url)),
    running: {
      panel: calls.panel,
      exchange: calls.desk.exchange,
      requester,
      md5Extensions: (exchangeId) =>
        switchboard.registrar.md5Phones().find((it) => it.exchangeId === exchangeId)?.extensions ?? [],
      trunks: (exchangeId) => switchboard.trunks.list(exchangeId),
      checkTrunk: (exchangeId, name) => switchboard.trunks.check(exchangeId, name),
      sipDoors: (peer) => doors.toldTo(peer),
      say: (exchangeId, text, language) => calls.speech.say(exchangeId, text, language),
    },
  };
}
