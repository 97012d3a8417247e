// Calls that another node had: what was kept of them names its doors, to which nobody leads any more. Before they are gone
// on with, their parties are to be told ours, with the re-INVITE that tells them where their voice is.

import { contactFor } from "../sip/contact.ts";
import { nextHopOf } from "../sip/dialog.ts";
import type { Stack } from "../sip/stack.ts";
import type { KeptLeg } from "./calls/kept-leg.ts";
import type { LeftCall } from "./journal/recovery.ts";

export function atOurDoors(stack: Pick<Stack, "doorTo">, call: LeftCall): LeftCall {
  const { kept } = call;
  return kept ? { ...call, kept: { ...kept, legs: kept.legs.map((leg) => legAtOurDoors(stack, leg)) } } : call;
}

function legAtOurDoors(stack: Pick<Stack, "doorTo">, leg: KeptLeg): KeptLeg {
  const hop = nextHopOf(leg.dialog.dialog);
  // A name is looked up when something is sent there; until then nobody knows by which door.
  const contact = typeof hop === "string" ? undefined : contactFor(stack, "santral", [hop]);
  return contact === undefined ? leg : { ...leg, dialog: { ...leg.dialog, contact } };
}
