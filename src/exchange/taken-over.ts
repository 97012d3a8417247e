// Calls that another node had: what was kept of them names its doors, to which nobody leads any more. Before they are gone
// on with, their parties are to be told ours, with the re-INVITE that tells them where their voice is.

import { contactFor } from "../sip/contact.ts";
import { nextHopOf } from "../sip/dialog.ts";
import type { Stack } from "../sip/stack.ts";
import type { KeptLeg, KeptRinging } from "./calls/kept-leg.ts";
import type { LeftCall } from "./journal/recovery.ts";

export function atOurDoors(stack: Pick<Stack, "doorTo">, call: LeftCall): LeftCall {
  const { kept } = call;
  if (!kept) return call;
  const here = <Kept extends KeptLeg | KeptRinging>(leg: Kept) => legAtOurDoors(stack, leg);
  const { legs, ringing, strangers } = kept;
  const parties = { legs: legs.map(here), ringing: ringing.map(here), strangers: strangers.map(here) };
  return { ...call, kept: { ...kept, ...parties } };
}

function legAtOurDoors<Kept extends KeptLeg | KeptRinging>(stack: Pick<Stack, "doorTo">, leg: Kept): Kept {
  if (!leg.dialog) return leg;
  const hop = nextHopOf(leg.dialog.dialog);
  // A name is looked up when something is sent there; until then nobody knows by which door.
  const contact = typeof hop === "string" ? undefined : contactFor(stack, "santral", [hop]);
  return contact === undefined ? leg : { ...leg, dialog: { ...leg.dialog, contact } };
}
