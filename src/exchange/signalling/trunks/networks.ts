// Does an address belong to one of these networks?

import { BlockList, isIP } from "node:net";
import { asWritten, networkOf, printed } from "../../../addresses.ts";

export type Networks = { include(network: string): void; has(address: string): boolean };

export function noNetworks(): Networks {
  const list = new BlockList();
  return {
    /** address/bits, or an address alone; what is neither is passed over. */
    include(network) {
      const found = networkOf(network);
      if (found) list.addSubnet(printed(found.octets), found.bits, found.octets.length === 4 ? "ipv4" : "ipv6");
    },
    has(address) {
      const spelt = asWritten(address);
      const family = isIP(spelt);
      return family !== 0 && list.check(spelt, family === 4 ? "ipv4" : "ipv6");
    },
  };
}

export function networksOf(listed: readonly string[]): Networks {
  const networks = noNetworks();
  for (const network of listed) networks.include(network);
  return networks;
}
