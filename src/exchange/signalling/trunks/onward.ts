// Where a carrier's 3xx may lead a call of ours, and where not.

import type { Moved } from "../../../sip/headers/moved.ts";
import type { Destination } from "../../../sip/transport/transport.ts";
import { networksOf } from "../../plan/networks.ts";
import { inForm, type PhoneNumber, readFromTrunk, written } from "../../plan/numbers.ts";
import { rewritten } from "./rewriting.ts";
import type { RunningTrunk } from "./running-trunk.ts";

export type Onward = { number: PhoneNumber } | { uri: string; destinations: readonly [Destination, ...Destination[]] };

type Carrier = Pick<RunningTrunk, "setup" | "destinations" | "locate">;

/** Another number is dialled like any other; the same one only at a server that is the trunk's own. */
export async function onwardBy(
  trunk: Carrier,
  { user, uri }: Moved,
  dialled: PhoneNumber,
): Promise<Onward | undefined> {
  const { callerIdForm, outward } = trunk.setup;
  const said = rewritten(inForm(dialled, callerIdForm), outward, !("e164" in dialled));
  const number = user === said ? dialled : publicNumber(user, trunk);
  if (number && written(number) !== written(dialled)) return { number };
  return number && elsewhere(trunk, uri);
}

/** An extension or a code of the exchange's own is nothing that a carrier could name. */
function publicNumber(user: string, { setup }: Carrier): PhoneNumber | undefined {
  const number = readFromTrunk(user.split(";")[0] ?? "", setup.callerIdForm);
  return number.is === "invalid" || number.is === "service" || number.is === "extension" ? undefined : number;
}

async function elsewhere(trunk: Carrier, uri: string): Promise<Onward | undefined> {
  const own = networksOf(trunk.setup.sourceAddresses);
  const isOwn = ({ address }: Destination) =>
    own.has(address) || trunk.destinations.some((server) => server.address === address);
  const [first, ...others] = (await trunk.locate(uri)).filter(isOwn);
  return first && { uri, destinations: [first, ...others] };
}
