// Does an address belong to one of these networks?

import { BlockList, isIP } from "node:net";

export type Networks = { include(network: string): void; has(address: string): boolean };

export function noNetworks(): Networks {
  const list = new BlockList();
  return {
    /** address/bits, or an address alone; what is neither is passed over. */
    include(network) {
      const [address = "", bits] = network.split("/");
      const family = isIP(address);
      if (family === 0) return;
      const longest = family === 4 ? 32 : 128;
      const prefix = bits === undefined ? longest : Number(bits);
      if (prefix >= 0 && prefix <= longest) list.addSubnet(address, prefix, family === 4 ? "ipv4" : "ipv6");
    },
    has(address) {
      const family = isIP(address);
      return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
    },
  };
}

export function networksOf(listed: readonly string[]): Networks {
  const networks = noNetworks();
  for (const network of listed) networks.include(network);
  return networks;
}
