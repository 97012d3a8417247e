// A call that came by a trunk: the number of ours it is for, and what the network says of the caller.

import type { Latching } from "../../../media/engine.ts";
import type { KeyForm, SrtpUse } from "../../../nouns/choices.ts";
import type { ClientAccount } from "../../../sip/digest-answer.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";
import { callerFromTrunk } from "./caller.ts";
import type { Trunks } from "./trunks.ts";

export type FromTrunk = {
  exchangeId: number;
  dialled: string;
  caller: { number: string; name: string };
  /** As the trunk's list has them. */
  codecs?: readonly string[];
  /** Faxes may go as data, unless it says no. */
  t38?: boolean;
  /** Answers the carrier when it asks who hangs up or changes the call. */
  account?: ClientAccount | undefined;
  /** How voice is encrypted on it, and in which form keys come and go. */
  terms?: { srtp: SrtpUse; keys: KeyForm; hearsInband: boolean; latching: Latching };
  /** Takes a channel of the trunk until what is returned is called; undefined when all are taken. */
  seize?(): (() => void) | undefined;
};

/** Where a proxy stands between, its address says nothing of where voice comes from. */
export function latchingOf({ comedia, outboundProxy }: TrunkSetup): Latching {
  return comedia === "near" && outboundProxy ? "beside" : comedia;
}

/** Undefined: it did not come by a trunk of ours. */
export function fromTrunk(
  trunks: Pick<Trunks, "inbound" | "seizeInbound" | "accountOf">,
  incoming: Incoming,
): FromTrunk | undefined {
  const inbound = trunks.inbound(incoming);
  if (!inbound) return undefined;
  const { exchangeId, dialled, trunk } = inbound;
  const caller = callerFromTrunk(incoming.request, trunk.callerIdForm);
  return {
    exchangeId,
    dialled,
    caller,
    codecs: trunk.codecs,
    t38: trunk.t38,
    account: trunks.accountOf(trunk.id),
    terms: { srtp: trunk.srtp, keys: trunk.dtmf, hearsInband: trunk.hearsInband, latching: latchingOf(trunk) },
    seize: () => trunks.seizeInbound(trunk.id),
  };
}
