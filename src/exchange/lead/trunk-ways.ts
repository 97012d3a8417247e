// The ways to the outside as calls see them: an exchange's trunks, or the sandbox while it has none.

import { spokenOf } from "../../codecs/codec.ts";
import { octetsOf } from "../../sip/message/text.ts";
import { type PhoneNumber, phoneNumber, written } from "../plan/numbers.ts";
import type { Trunks, TrunkWay } from "../signalling/trunks/trunks.ts";
import type { Way } from "./outside.ts";

export type SandboxUse = { way: Way; use: "auto" | "on" | "off" };

export function waysOver(
  trunks: Pick<Trunks, "waysOut" | "hasTrunks">,
  sandbox: SandboxUse | undefined,
): (exchangeId: number, number: PhoneNumber) => Way[] {
  return (exchangeId, number) => {
    const inTheBox = sandbox && (sandbox.use === "on" || !trunks.hasTrunks(exchangeId));
    if (inTheBox && sandbox.use !== "off") return [sandbox.way];
    const out = trunks.waysOut(exchangeId, written(number));
    return "refused" in out ? [] : out.ways.map(overTrunk);
  };
}

function overTrunk(way: TrunkWay): Way {
  return {
    trunk: way.trunk.name,
    codecs: spokenOf(way.trunk.codecs),
    t38: way.trunk.t38,
    silentMs: way.trunk.silentSeconds * 1_000,
    nextOn: way.trunk.nextOn,
    terms: {
      srtp: way.trunk.srtp,
      keys: way.trunk.dtmf,
      hearsInband: way.trunk.hearsInband,
      latching: way.trunk.comedia,
    },
    seize() {
      const release = way.seize();
      return release && { release };
    },
    onward: (moved, dialled) => way.onward(moved, dialled),
    failed: () => way.failed(),
    invite({ to, callerId, name, withheld = false, original, diversions }) {
      const caller = way.callerId === null ? callerId : phoneNumber(way.callerId);
      return {
        ...way.address({ called: to, caller, name: octetsOf(name), withheld, original, diversions }),
        destinations: way.destinations,
        account: way.account,
      };
    },
  };
}
