// Who knows the password of an extension and comes from where it may not: he has it from somebody, is told no more than
// who guesses, and stands in the log, though not as often as he tries.

import { type Clock, since, type Ticks } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import type { Request } from "../../../sip/message/message.ts";
import { isForHelp, userIn } from "../../../sip/message/uri.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import { emergencyIn } from "../../plan/emergency.ts";
import type { HomeExchange, HomeExtension } from "./directory.ts";

export type Strays = {
  has(
    incoming: Pick<Incoming, "request" | "source">,
    exchange: HomeExchange | undefined,
    extension: HomeExtension | undefined,
  ): boolean;
};

const QUIET_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export function openStrays(clock: Clock, log: Log): Strays {
  const told = new Map<string, Ticks>();
  return {
    has({ request, source }, exchange, extension) {
      const { address } = speakerOf(source);
      if (!exchange || !extension?.mayComeFrom || extension.mayComeFrom(address)) return false;
      // Who calls for help may do so from everywhere.
      if (callsForHelp(request, exchange)) return false;
      tell(extension, address);
      return true;
    },
  };

  function tell({ exchangeId, number }: HomeExtension, address: string): void {
    const key = `${exchangeId} ${number} ${address}`;
    const before = told.get(key);
    if (before !== undefined && since(clock, before) < QUIET_MS) return;
    if (told.size >= MOST_REMEMBERED) told.clear();
    told.set(key, clock.ticks());
    log.warn({ exchangeId, extension: number, address }, "an extension's password came from outside its networks");
  }
}

export function callsForHelp({ method, uri }: Request, { emergencyNumbers }: HomeExchange): boolean {
  if (method !== "INVITE") return false;
  return isForHelp(uri) || emergencyIn(userIn(uri) ?? "", emergencyNumbers) !== undefined;
}
