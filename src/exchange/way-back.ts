// A phone whose connection ended with an earlier process comes back over a new one, and says so by REGISTER: from then on its
// call has a way to it again.

import type { Destination } from "../sip/transport/transport.ts";
import type { KeptLeg } from "./calls/kept-leg.ts";
import type { ResumedLine } from "./legs/resumed-leg.ts";
import type { Binding } from "./signalling/registrar/binding.ts";
import type { Registrar } from "./signalling/registrar/registrar.ts";

/** Undefined for whoever needs no connection, and for carriers, which are connected to by us. */
export function wayBack(
  phones: Pick<Registrar, "contactsOf" | "onRegister">,
  exchangeId: number,
  leg: KeptLeg,
): ResumedLine["cameBack"] {
  const { party } = leg;
  const { flow } = leg.dialog.dialog;
  if (party.is !== "extension" || !flow || flow.transport === "udp") return undefined;
  return (tell: (flow: Destination) => void) => {
    const look = () => {
      const found = phones.contactsOf(exchangeId, party.number).find((binding) => isSame(binding, leg, flow));
      if (found) tell(found.destination);
    };
    const stop = phones.onRegister(look);
    look();
    return stop;
  };
}

/** The same phone: by its own address, or else by where and what it is. */
function isSame({ uri, destination, source, userAgent }: Binding, leg: KeptLeg, flow: Destination): boolean {
  if (destination.connection === undefined || destination.transport !== flow.transport) return false;
  const { remoteTarget } = leg.dialog.dialog;
  return uri === remoteTarget || (source.address === leg.facts.address && userAgent === leg.facts.userAgent);
}
