// Does an address belong to one of these networks?

import { BlockList, isIP } from "node:net";
import { asWritten, networkOf, printed } from "../../addresses.ts";

export type Networks = { has(address: string): boolean };

/** Each is address/bits, or an address alone; what is neither is passed over. */
export function networksOf(listed: readonly string[]): Networks {
  const list = new BlockList();
  for (const text of listed) {
    const network = networkOf(text);
    if (network) list.addSubnet(printed(network.octets), network.bits, network.octets.length === 4 ? "ipv4" : "ipv6");
  }
  return {
    has(address) {
      const spelt = asWritten(address);
      const family = isIP(spelt);
      return family !== 0 && list.check(spelt, family === 4 ? "ipv4" : "ipv6");
    },
  };
}
