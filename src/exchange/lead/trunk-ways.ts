// The ways to the outside as calls see them: an exchange's trunks, or the sandbox while it has none.

import { spokenOf } from "../../codecs/codec.ts";
import { octetsOf } from "../../sip/message/text.ts";
import { type PhoneNumber, phoneNumber, written } from "../plan/numbers.ts";
import { termsOf } from "../signalling/trunks/from-trunk.ts";
import type { Trunks } from "../signalling/trunks/trunks.ts";
import type { TrunkWay } from "../signalling/trunks/ways-out.ts";
import type { Way } from "./outside.ts";

export type SandboxUse = { way: Way; serves(exchangeId: number): boolean };

/** Whether the sandbox stands in for the public network. */
export function servedBySandbox(
  use: "auto" | "on" | "off",
  trunks: Pick<Trunks, "hasTrunks">,
): (exchangeId: number) => boolean {
  if (use !== "auto") return () => use === "on";
  return (exchangeId) => !trunks.hasTrunks(exchangeId);
}

export function waysOver(
  trunks: Pick<Trunks, "waysOut" | "waysForHelp">,
  sandbox: SandboxUse | undefined,
): (exchangeId: number, number: PhoneNumber) => Way[] {
  return (exchangeId, number) => {
    if (sandbox?.serves(exchangeId)) return [sandbox.way];
    if (number.is === "emergency") return trunks.waysForHelp(exchangeId, number.number).map(overTrunk);
    const out = trunks.waysOut(exchangeId, written(number));
    return "refused" in out ? [] : out.ways.map(overTrunk);
  };
}

/** By that trunk and no other. */
export function wayByName(trunks: Pick<Trunks, "wayBy">): (exchangeId: number, trunk: string) => Way | undefined {
  return (exchangeId, trunk) => {
    const way = trunks.wayBy(exchangeId, trunk);
    return way && overTrunk(way);
  };
}

function overTrunk(way: TrunkWay): Way {
  return {
    shows: ({ to, callerId }) => (to.is === "emergency" ? knownToCarrier(way, callerId) : (ofRule(way) ?? callerId)),
    trunk: way.trunk.name,
    codecs: spokenOf(way.trunk.codecs),
    t38: way.trunk.t38,
    silentMs: way.trunk.silentSeconds * 1_000,
    progressMs: way.trunk.progressSeconds === 0 ? undefined : way.trunk.progressSeconds * 1_000,
    nextOn: way.trunk.nextOn,
    terms: termsOf(way.trunk, ofRule(way)),
    seize(how) {
      const release = way.seize(how);
      return release && { release };
    },
    onward: (moved, dialled) => way.onward(moved, dialled),
    failed: () => way.failed(),
    invite: ({ to, callerId, name, withheld = false, original, diversions }) => ({
      ...way.address({ called: to, caller: callerId, name: octetsOf(name), withheld, original, diversions }),
      destinations: way.destinations,
      account: way.account,
    }),
  };
}

function ofRule({ callerId }: TrunkWay): PhoneNumber | undefined {
  return callerId === null ? undefined : phoneNumber(callerId);
}

/** Who sends help looks up where the number is at home, so it must be one that this carrier gave us. */
function knownToCarrier(way: TrunkWay, wanted: PhoneNumber | undefined): PhoneNumber | undefined {
  const [first] = way.numbers;
  if (first === undefined || (wanted && way.numbers.includes(written(wanted)))) return wanted ?? ofRule(way);
  return phoneNumber(first);
}
