// A request to a carrier and its outcome, with the carrier's challenge answered on the way.

import type { Outcome, Patience } from "../../../sip/client.ts";
import { openCredentials } from "../../../sip/credentials.ts";
import type { ClientAccount, Hash } from "../../../sip/digest-answer.ts";
import type { Random } from "../../../sip/headers/random.ts";
import type { Header, Request } from "../../../sip/message/message.ts";
import type { Stack } from "../../../sip/stack.ts";
import type { Destination } from "../../../sip/transport/transport.ts";
import type { TrunkSetup } from "../../../store/trunk-state.ts";

export type ClientParts = { stack: Pick<Stack, "ask">; hash: Hash; random: Random };

/** Built anew for each attempt, since each needs its own CSeq. */
export type Build = (extra: Header[]) => Request;

export async function askCarrier(
  parts: ClientParts,
  build: Build,
  to: { destinations: readonly Destination[]; account: ClientAccount | undefined; patience?: Patience | undefined },
): Promise<Outcome> {
  const answers = to.account && openCredentials(parts, to.account).answers();
  for (let headers: Header[] = []; ; ) {
    const request = build(headers);
    const outcome = await parts.stack.ask(request, to.destinations, to.patience);
    const again = "response" in outcome ? answers?.to(outcome.response, request) : undefined;
    if (!again) return outcome;
    headers = again;
  }
}

/** A server of the carrier's at an address that its name does not lead to. */
export function serverAt({ transport, port }: Pick<TrunkSetup, "transport" | "port">, address: string): Destination {
  return { transport: transport === "auto" ? "udp" : transport, address, port };
}

/** With what a carrier's certificate is judged by. */
export function trusted(
  found: Destination,
  { tlsVerify: verify, tlsName }: Pick<TrunkSetup, "tlsVerify" | "tlsName">,
  authorities: string | undefined,
): Destination {
  if (found.transport !== "tls") return found;
  const trusted = { ...found, trust: { verify, authorities } };
  return tlsName === null ? trusted : { ...trusted, serverName: tlsName };
}
