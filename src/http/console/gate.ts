// From where the console may be opened at all: this machine and private networks, unless the operator says otherwise.

import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { asWritten } from "../../addresses.ts";
import type { ClientAddress } from "../door/client-address.ts";

/** `anywhere`, or addresses and networks; what is in neither list is refused before anything else is looked at. */
export type ConsoleFrom = "anywhere" | readonly string[];

const PRIVATE: readonly [network: string, bits: number][] = [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
];

export type Gate = (request: IncomingMessage) => { address: string; admitted: boolean };

export function openGate(from: ConsoleFrom, clientAddress: ClientAddress): Gate {
  const admitted = new BlockList();
  for (const [network, bits] of from === "anywhere" ? [] : [...PRIVATE, ...from.map(readNetwork)])
    admitted.addSubnet(network, bits, familyOf(network));
  return ({ socket, headers }) => {
    const address = clientAddress(socket.remoteAddress, headers["x-forwarded-for"]);
    if (from === "anywhere") return { address, admitted: true };
    // A proxy that nobody told us to trust stands on this machine: whoever is behind it may be anybody.
    const isHidden = headers["x-forwarded-for"] !== undefined && address === asWritten(socket.remoteAddress ?? "");
    return { address, admitted: !isHidden && isIP(address) !== 0 && admitted.check(address, familyOf(address)) };
  };
}

function readNetwork(text: string): [network: string, bits: number] {
  const [network = "", bits] = text.split("/");
  return [network, bits === undefined ? (isIP(network) === 6 ? 128 : 32) : Number(bits)];
}

/** Whether an operator's entry is an address or a network. */
export function isNetwork(text: string): boolean {
  const [network, bits] = readNetwork(text);
  const family = isIP(network);
  return family !== 0 && Number.isInteger(bits) && bits >= 0 && bits <= (family === 6 ? 128 : 32);
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
