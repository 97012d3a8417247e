// Remote-Party-ID (draft-ietf-sip-privacy-04): what PAI was before RFC 3325, and still is to many carriers and phones.

import { isMalformed } from "../message/malformed.ts";
import type { Header, Message } from "../message/message.ts";
import { parameterOf } from "../message/parameters.ts";
import { addressesIn } from "./addresses.ts";
import { type NameAddress, printNameAddress } from "./name-address.ts";

export type RemoteParty = { address: NameAddress; hidesNumber: boolean; hidesName: boolean };

/** Who calls; of several parties the one that calls is meant. */
export function remotePartyOf(message: Message): RemoteParty | undefined {
  const parties = addressesIn(message, "Remote-Party-ID");
  if (isMalformed(parties)) return undefined;
  const address = parties.find(({ parameters }) => (parameterOf(parameters, "party") ?? "calling") === "calling");
  if (!address) return undefined;
  const privacy = (parameterOf(address.parameters, "privacy") ?? "off").toLowerCase().split(/[;,-]/);
  const hides = (what: string) => privacy.includes("full") || privacy.includes(what);
  return { address, hidesNumber: hides("uri"), hidesName: hides("name") };
}

export function remoteParty({ display, uri }: Omit<NameAddress, "parameters">, withheld: boolean): Header {
  const parameters = [
    { name: "party", value: "calling" },
    { name: "screen", value: "yes" },
    { name: "privacy", value: withheld ? "full" : "off" },
  ];
  return { name: "Remote-Party-ID", value: printNameAddress({ display, uri, parameters }) };
}
