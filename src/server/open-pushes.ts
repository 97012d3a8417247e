// Browsers are told of calls over connections of their own: a slow push service keeps no event waiting.

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { LeftMessage } from "../exchange/features/voicemail/voicemail.ts";
import type { Log } from "../log.ts";
import { openPushing, type Pushing } from "../push/pushing.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "../store/db.ts";
import { openRequester } from "../webhooks/requester.ts";

export type PushesNeeds = {
  config: Pick<Config, "privateWebhooks" | "publicUrl">;
  db: Db;
  secrets: Secrets;
  clock: Clock;
  log: Log;
};

/** For who has told nobody where he is; a service that has a complaint then has nobody to tell it to. */
const NOBODY = "mailto:postmaster@localhost";

export function openPushes({ config, db, secrets, clock, log }: PushesNeeds): Pushing {
  const requester = openRequester({ clock, privateAllowed: config.privateWebhooks });
  const contact = config.publicUrl?.startsWith("https:") ? config.publicUrl : NOBODY;
  const { tell, close } = openPushing({ db, secrets, clock, log, requester, contact });
  return {
    tell,
    async close() {
      await close();
      requester.close();
    },
  };
}

/** Whoever's mailbox it is learns of a message when it is kept. */
export function tellsLeft(pushes: Pick<Pushing, "tell">): (left: LeftMessage) => void {
  return ({ mailbox, facts: { uuid: call, exchangeId, withheld, callerNumber, callerName } }) => {
    const caller = withheld ? { number: "", name: "" } : { number: callerNumber, name: callerName };
    void pushes.tell({ exchangeId, extension: mailbox.number }, { is: "message", call, ...caller });
  };
}
