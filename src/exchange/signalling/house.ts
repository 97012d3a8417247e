// Which addresses are the server's own, or of what stands before it.

import type { Transport } from "../../sip/transport/transport.ts";

export type HouseOptions = {
  transports: readonly Pick<Transport, "sentBy">[];
  edges?: readonly string[] | undefined;
  trustLoopback?: boolean | undefined;
};

export type House = {
  /** It passes on what others say. */
  isEdge(address: string): boolean;
  /** Of this very machine, where a proxy may stand that does, too. */
  isOurs(address: string): boolean;
  /** Either, or where we listen: what answers there is nobody else's server. */
  isHouse(address: string): boolean;
};

export function houseOf({ transports, edges = [], trustLoopback = true }: HouseOptions): House {
  const isEdge = (address: string) => edges.includes(address);
  const isOurs = (address: string) => trustLoopback && isLoopback(address);
  const isHouse = (address: string) =>
    isEdge(address) || isOurs(address) || transports.some(({ sentBy }) => sentBy.host === address);
  return { isEdge, isOurs, isHouse };
}

const isLoopback = (address: string): boolean => address.startsWith("127.") || address === "::1";
