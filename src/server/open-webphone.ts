// The web phone's part of a server: its page and what it asks, and logins that end when its tokens are taken back.

import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";
import { isExtension } from "../exchange/calls/live-calls.ts";
import type { Switchboard } from "../exchange/signalling/switchboard.ts";
import { webphonePages } from "../http/webphone/pages.ts";
import type { Log } from "../log.ts";
import type { Database } from "../store/db.ts";
import { REVOKED_CHANNEL } from "../store/webphone-tokens.ts";
import type { Calls } from "./open-calls.ts";
import type { Closable } from "./parts.ts";

export type WebphoneNeeds = {
  db: Database;
  clock: Clock;
  log: Log;
  switchboard: Switchboard;
  calls: Calls;
};

export type Webphone = Closable & { plugin(server: FastifyInstance): Promise<void> };

export async function openWebphone({ db, clock, log, switchboard, calls }: WebphoneNeeds): Promise<Webphone> {
  const close = await db.listen(REVOKED_CHANNEL, (payload) => {
    const [exchangeId, extension = ""] = payload.split(" ");
    endPhones({ switchboard, calls }, Number(exchangeId), extension);
  });
  const files = fileURLToPath(new URL("./webphone", import.meta.url));
  const plugin = webphonePages({ db, clock, log, files });
  return { plugin, close };
}

/**
 * Its tokens are not good any more: whoever holds one must not be called, call, or talk on. A page that has another
 * token, or a phone in a browser that has the extension's own password, comes back by itself a moment later.
 */
function endPhones(
  { switchboard, calls }: Pick<WebphoneNeeds, "switchboard" | "calls">,
  exchangeId: number,
  extension: string,
): void {
  const { webLogins, registrar, stack } = switchboard;
  const { live, exchange } = calls.desk;
  webLogins.forget(exchangeId, extension);
  for (const call of live.of(exchangeId, extension))
    if (call.legs().some((leg) => isExtension(leg, extension) && leg.facts().isBrowser))
      exchange.hangUp(exchangeId, call.facts.uuid, "exchange");
  for (const { destination } of registrar.withdrawBrowsers(exchangeId, extension))
    if (destination.connection !== undefined) stack.doorTo(destination)?.drop?.(destination.connection);
}
