// The address a door is opened at, as sockets and as headers write it.

import { isIPv6 } from "node:net";

export const familyOf = (address: string): 4 | 6 => (isIPv6(address) ? 6 : 4);

export const bracketed = (address: string): string => (isIPv6(address) ? `[${address}]` : address);
