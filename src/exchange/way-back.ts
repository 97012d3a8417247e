// A phone whose connection ended with an earlier process comes back over a new one, and says so by REGISTER: from then on its
// call has a way to it again.

import type { Destination } from "../sip/transport/transport.ts";
import type { KeptLeg, KeptRinging } from "./calls/kept-leg.ts";
import type { ResumedLine } from "./legs/resumed-leg.ts";
import type { Binding } from "./signalling/registrar/binding.ts";
import type { Registrar } from "./signalling/registrar/registrar.ts";

/** Undefined for whoever needs no connection, and for carriers, which are connected to by us. */
export function wayBack(
  phones: Pick<Registrar, "contactsOf" | "onRegister">,
  exchangeId: number,
  leg: KeptLeg | KeptRinging,
): ResumedLine["cameBack"] {
  const { party } = leg;
  const { flow, target } = whereabouts(leg);
  if (party.is !== "extension" || !flow || flow.transport === "udp") return undefined;
  return (tell: (flow: Destination) => void) => {
    const look = () => {
      const found = phones.contactsOf(exchangeId, party.number).find((it) => isSame(it, leg, { flow, target }));
      if (found) tell(found.destination);
    };
    const stop = phones.onRegister(look);
    look();
    return stop;
  };
}

/** The way by which it was reached, and where it says that it is. */
function whereabouts({ dialog, ...leg }: KeptLeg | KeptRinging): { flow: Destination | undefined; target?: string } {
  if (dialog) return { flow: dialog.dialog.flow, target: dialog.dialog.remoteTarget };
  return { flow: "invite" in leg && "asked" in leg.invite ? leg.invite.asked.destination : undefined };
}

/** The same phone: by its own address, or else by where and what it is. */
function isSame(
  { uri, destination, source, userAgent }: Binding,
  { facts }: KeptLeg | KeptRinging,
  { flow, target }: { flow: Destination; target: string | undefined },
): boolean {
  if (destination.connection === undefined || destination.transport !== flow.transport) return false;
  return uri === target || (source.address === facts.address && userAgent === facts.userAgent);
}
