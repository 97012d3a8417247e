// Which addresses are the server's own, or of what stands before it.

import { asWritten, canonical, isLoopback, isUnspecified } from "../../addresses.ts";
import type { Transport } from "../../sip/transport/transport.ts";

export type HouseOptions = {
  transports: readonly Pick<Transport, "sentBy">[];
  edges?: readonly string[] | undefined;
  trustLoopback?: boolean | undefined;
  /** Knows the addresses of this machine, and those by which the world knows it. */
  reach?: { isOwn(address: string): boolean } | undefined;
};

export type House = {
  /** It passes on what others say. */
  isEdge(address: string): boolean;
  /** Of this very machine, where a proxy may stand that does, too. */
  isOurs(address: string): boolean;
  /** Either, or where we listen: what answers there is nobody else's server. */
  isHouse(address: string): boolean;
};

export function houseOf({ transports, edges = [], trustLoopback = true, reach }: HouseOptions): House {
  const doors = new Set(transports.map(({ sentBy }) => canonical(sentBy.host)));
  const isEdge = (address: string) => edges.includes(address);
  const isOurs = (address: string) => trustLoopback && isLoopback(address);
  const isHouse = (given: string) => {
    const address = asWritten(given);
    // A door at the wildcard address is one at every address of the machine.
    const isOwn = doors.has(address) || isUnspecified(address) || reach?.isOwn(address) === true;
    return isOwn || isEdge(address) || isOurs(address);
  };
  return { isEdge, isOurs, isHouse };
}
