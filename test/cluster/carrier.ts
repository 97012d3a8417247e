// A carrier that somebody else wrote, behind the edge as the phones are: SIPp, at which whoever calls hears himself.

import { startSipp } from "../carriers/sipp.ts";
import { takesCallAndMoves } from "../carriers/sipp-scenarios.ts";
import { whenOver } from "../ground/when-over.ts";
import type { Cluster } from "./cluster.ts";

const ADDRESS = "127.0.0.45";

/** So many numbers, all of which it takes. */
export async function openCarrier(cluster: Cluster, numbers: number): Promise<string[]> {
  const carrier = await startSipp({ scenario: takesCallAndMoves, address: ADDRESS, echo: true });
  whenOver(() => carrier.end());
  const reach = [`port=${carrier.port}`, `source-addresses=${ADDRESS}`, `outbound-proxy=${cluster.edge.at}`];
  await cluster.done("trunk", "create", "carrier", ADDRESS, ...reach, "health-check=no", "codecs=PCMA");
  return Array.from({ length: numbers }, (_, at) => `0532123450${at}`);
}
