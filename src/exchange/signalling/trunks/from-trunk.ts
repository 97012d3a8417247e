// A call that came by a trunk: the number of ours it is for, and what the network says of the caller.

import type { Incoming } from "../../../sip/incoming.ts";
import { headersOf } from "../../../sip/message/message.ts";
import type { SentOnBy } from "../../plan/sent-on.ts";
import { callerFromTrunk, sentOnBy } from "./caller.ts";
import type { Trunks } from "./trunks.ts";

export type FromTrunk = {
  exchangeId: number;
  dialled: string;
  caller: { number: string; name: string };
  /** Who had sent it on, the last first; what networks have signed of the caller. */
  sentOnBy?: SentOnBy[];
  signed?: string[];
  /** Faxes may go as data, unless it says no. */
  t38?: boolean;
  /** Takes a channel of the trunk until what is returned is called; undefined when all are taken. */
  seize?(): (() => void) | undefined;
};

/** One of who attests, and those of whoever sent it on. */
const MOST_SIGNED = 5;

/** Undefined: it did not come by a trunk of ours. */
export function fromTrunk(trunks: Pick<Trunks, "inbound" | "seizeInbound">, incoming: Incoming): FromTrunk | undefined {
  const inbound = trunks.inbound(incoming);
  if (!inbound) return undefined;
  const { exchangeId, dialled, trunk } = inbound;
  const { request } = incoming;
  return {
    exchangeId,
    dialled,
    caller: callerFromTrunk(request, trunk),
    sentOnBy: sentOnBy(request, trunk),
    signed: trunk.trusted ? headersOf(request, "Identity").slice(0, MOST_SIGNED) : [],
    t38: trunk.t38,
    seize: () => trunks.seizeInbound(trunk.id),
  };
}
