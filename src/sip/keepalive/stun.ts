// STUN binding requests on the SIP port (RFC 5389 §7.3.1): a phone behind NAT asks where it is seen from.

import { octetsOf } from "../../addresses.ts";
import type { Octets } from "../message/message.ts";

const BINDING_REQUEST = "\x00\x01";
const BINDING_SUCCESS = "\x01\x01";
const MAGIC_COOKIE = "\x21\x12\xa4\x42";
const HEADER_OCTETS = 20;
const XOR_MAPPED_ADDRESS = "\x00\x20";

/** No SIP message begins with two zero bits, every STUN message does. */
export function isStun(octets: Octets): boolean {
  return octets.length >= HEADER_OCTETS && octets.charCodeAt(0) < 0x40 && octets.startsWith(MAGIC_COOKIE, 4);
}

/** Undefined when it is no binding request, or one whose length lies. */
export function bindingAnswer(octets: Octets, from: { address: string; port: number }): Octets | undefined {
  const length = (octets.charCodeAt(2) << 8) | octets.charCodeAt(3);
  if (!octets.startsWith(BINDING_REQUEST) || length !== octets.length - HEADER_OCTETS) return undefined;
  const transaction = octets.slice(4, HEADER_OCTETS);
  const address = octetsOf(from.address);
  if (!address) return undefined;
  const family = address.length === 4 ? "\x00\x01" : "\x00\x02";
  const port = xor([from.port >> 8, from.port & 0xff], transaction);
  const value = family + port + xor(address, transaction);
  const attribute = XOR_MAPPED_ADDRESS + twoOctets(value.length) + value;
  return BINDING_SUCCESS + twoOctets(attribute.length) + transaction + attribute;
}

const twoOctets = (number: number) => String.fromCharCode(number >> 8, number & 0xff);

/** The mask is the cookie followed by the transaction id, and those are what `transaction` begins with. */
function xor(octets: number[], transaction: Octets): Octets {
  return String.fromCharCode(...octets.map((octet, at) => octet ^ transaction.charCodeAt(at)));
}
