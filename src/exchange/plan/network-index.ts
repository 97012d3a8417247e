// Whose networks is an address in? Found by one look for each length of network that there is, however many networks.

import { networkOf, octetMask, octetsOf } from "../../addresses.ts";

export type NetworkIndex<Owner> = {
  /** Each network is address/bits, or an address alone; what is neither is passed over. */
  add(network: string, owner: Owner): void;
  remove(network: string, owner: Owner): void;
  /** Those with the smallest network first. */
  ownersOf(address: string): Owner[];
  oneOf(address: string): Owner | undefined;
  has(address: string): boolean;
};

export function networkIndex<Owner>(): NetworkIndex<Owner> {
  /** By family and length, the longest first; in each by the bits that count. */
  let lengths: { octets: number; bits: number; owners: Map<string, Set<Owner>> }[] = [];
  return { add, remove, ownersOf, oneOf, has };

  function add(text: string, owner: Owner): void {
    const network = networkOf(text);
    if (!network) return;
    const owners = lengthOf(network.octets.length, network.bits);
    const key = firstBits(network.octets, network.bits);
    const known = owners.get(key);
    if (known) known.add(owner);
    else owners.set(key, new Set([owner]));
  }

  function remove(text: string, owner: Owner): void {
    const network = networkOf(text);
    if (!network) return;
    const owners = lengthOf(network.octets.length, network.bits);
    const key = firstBits(network.octets, network.bits);
    owners.get(key)?.delete(owner);
    if (owners.get(key)?.size === 0) owners.delete(key);
    lengths = lengths.filter((length) => length.owners.size > 0);
  }

  function lengthOf(octets: number, bits: number): Map<string, Set<Owner>> {
    const known = lengths.find((length) => length.octets === octets && length.bits === bits);
    if (known) return known.owners;
    const owners = new Map<string, Set<Owner>>();
    lengths = [...lengths, { octets, bits, owners }].sort((one, other) => other.bits - one.bits);
    return owners;
  }

  function ownersOf(address: string): Owner[] {
    return [...new Set(foundAt(address).flatMap((owners) => [...owners]))];
  }

  function oneOf(address: string): Owner | undefined {
    for (const owners of foundAt(address)) for (const owner of owners) return owner;
    return undefined;
  }

  function has(address: string): boolean {
    return foundAt(address).length > 0;
  }

  function foundAt(address: string): Set<Owner>[] {
    const octets = lengths.length > 0 ? octetsOf(address) : undefined;
    if (!octets) return [];
    return lengths.flatMap((length) => {
      const isOfFamily = length.octets === octets.length;
      return (isOfFamily ? length.owners.get(firstBits(octets, length.bits)) : undefined) ?? [];
    });
  }
}

function firstBits(octets: readonly number[], bits: number): string {
  let text = "";
  for (let at = 0, left = bits; left > 0; at++, left -= 8) text += String.fromCharCode(octets[at]! & octetMask(left)); // as long as the network says
  return text;
}
