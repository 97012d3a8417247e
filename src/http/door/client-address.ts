// Who is asking: the socket's other end, or what a proxy we were told to trust says about it.

import { BlockList, isIP } from "node:net";
import { asWritten } from "../../addresses.ts";

export type ClientAddress = (socketAddress: string | undefined, forwardedFor: string | string[] | undefined) => string;

/** Proxies in front of proxies are few; a longer chain was made up by the caller. */
const LONGEST_CHAIN = 20;

/** Whether what the socket's other end says of others is believed. */
export type PeerCheck = (socketAddress: string | undefined) => boolean;

/** `trusted` holds addresses and networks (10.0.0.0/8); an entry that is neither is a mistake worth stopping for. */
export function peersAmong(trusted: readonly string[]): PeerCheck {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
    if (!family || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32))
      throw new Error(`not an address or network of a trusted proxy: ${entry}`);
    proxies.addSubnet(address, bits, family === 6 ? "ipv6" : "ipv4");
  }
  return (socketAddress) => {
    const address = trusted.length === 0 ? "" : asWritten(socketAddress ?? "");
    return isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  };
}

export function clientAddressBehind(trusted: readonly string[]): ClientAddress {
  const isTrusted = peersAmong(trusted);
  return (socketAddress, forwardedFor) => {
    const direct = asWritten(socketAddress ?? "");
    if (forwardedFor === undefined || !isTrusted(direct)) return direct;
    const chain = String(forwardedFor).split(",").slice(-LONGEST_CHAIN);
    // Each proxy appends whom it spoke to. Read from our side, the first one that is not ours is the client.
    let nearest = direct;
    for (const hop of chain.reverse()) {
      const address = asWritten(hop.trim());
      if (!isIP(address)) return nearest;
      nearest = address;
      if (!isTrusted(address)) return address;
    }
    return nearest;
  };
}
