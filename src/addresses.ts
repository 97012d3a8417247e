// Addresses as values: how each is spelt once, which of them name no machine, and which network they lie in.

export const LOOPBACK = "127.0.0.1";
const LOOPBACK_6 = "::1";
/** What stands before an IPv4 address in IPv6 clothing. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];

/** A literal IPv6 address has a colon, and nothing else that gets here has one. */
export const familyOf = (address: string): 4 | 6 => (address.includes(":") ? 6 : 4);

/** As URIs and headers write it. */
export const bracketed = (address: string): string => (familyOf(address) === 6 ? `[${address}]` : address);

/**
 * 0.0.0.0 or `::`, however it is spelt, in brackets or not (RFC 1122, RFC 4291 section 2.5.2). Whoever listens there
 * listens on every address of the machine; whoever writes it into a description wants nothing sent to them.
 */
export function isUnspecified(host: string): boolean {
  return /^\[?(?:(?:::ffff:)?0\.0\.0\.0|0*:[0:]*)\]?$/i.test(host);
}

/** Where a listener is reached from this very machine. */
export function fromHere(host: string): string {
  if (!isUnspecified(host)) return host;
  return familyOf(host) === 6 ? LOOPBACK_6 : LOOPBACK;
}

/** Where nobody but this very machine finds a listener that is to speak with one at `host`. */
export const loopbackBeside = (host: string): string => (familyOf(host) === 6 ? LOOPBACK_6 : LOOPBACK);

/** Whether an address, in its one spelling, is this very machine's. */
export const isLoopback = (address: string): boolean => address.startsWith("127.") || address === LOOPBACK_6;

/**
 * The octets of an address, four or sixteen; undefined for what is none. An IPv4 address in IPv6 clothing
 * (::ffff:192.0.2.1, RFC 4291 section 2.5.5.2) is the IPv4 address: whoever writes it means the same machine.
 */
export function octetsOf(address: string): number[] | undefined {
  const [bare = ""] = address.replace(/^\[(.*)\]$/, "$1").split("%", 1);
  if (!bare.includes(":")) return octetsOf4(bare);
  const octets = octetsOf6(bare);
  return octets && isMapped(octets) ? octets.slice(MAPPED.length) : octets;
}

/** The one spelling of an address (RFC 5952), without brackets and zone; undefined for what is none. */
export function canonical(address: string): string | undefined {
  const octets = octetsOf(address);
  return octets && printed(octets);
}

/** The address in its one spelling; what is no address stays as it is. */
export function asWritten(address: string): string {
  return address.includes(":") ? (canonical(address) ?? address) : address;
}

export function printed(octets: readonly number[]): string {
  if (octets.length === 4) return octets.join(".");
  const groups = Array.from({ length: 8 }, (_, at) => (octets[2 * at]! << 8) | octets[2 * at + 1]!); // sixteen octets
  const { from, length } = longestZeros(groups);
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(":");
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, from))}::${hex(groups.slice(from + length))}`;
}

export type Network = { octets: readonly number[]; bits: number };

/** An address, or address/bits; undefined for what is neither. */
export function networkOf(text: string): Network | undefined {
  const [address = "", given, ...rest] = text.split("/");
  const octets = octetsOf(address);
  if (!octets || rest.length > 0 || (given !== undefined && !/^\d{1,3}$/.test(given))) return undefined;
  const undressed = octets.length === 4 && address.includes(":") ? 8 * MAPPED.length : 0;
  const bits = given === undefined ? octets.length * 8 : Number(given) - undressed;
  return bits >= 0 && bits <= octets.length * 8 ? { octets, bits } : undefined;
}

export function liesIn(octets: readonly number[], network: Network): boolean {
  if (octets.length !== network.octets.length) return false;
  for (let at = 0, left = network.bits; left > 0; at++, left -= 8)
    if (((octets[at]! ^ network.octets[at]!) & octetMask(left)) !== 0) return false; // as long as the network says
  return true;
}

/** What counts of an octet where so many bits of the network are left. */
export function octetMask(left: number): number {
  return left >= 8 ? 255 : (255 << (8 - left)) & 255;
}

/** Whoever has one IPv6 address has the 64 bits below it too. */
export function holderOf(address: string): string {
  if (!address.includes(":")) return address;
  const octets = octetsOf(address);
  if (!octets) return address;
  return octets.length === 4 ? printed(octets) : `${printed([...octets.slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0])}/64`;
}

/** Networks that no router of the public network leads to: RFC 1918, 3927, 6598, 1122, 4193, 4291. */
export const PRIVATE_NETWORKS: readonly Network[] = [
  ...["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8"],
  ...["fc00::/7", "fe80::/10", "::1/128"],
].flatMap((text) => networkOf(text) ?? []);

function isMapped(octets: readonly number[]): boolean {
  return MAPPED.every((octet, at) => octets[at] === octet);
}

function octetsOf4(text: string): number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return parts.map(Number);
}

function octetsOf6(text: string): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [before, after] = halves.map((half, at) => groupsOf(half, at === halves.length - 1));
  if (!before || (halves.length === 2 && !after)) return undefined;
  const missing = 16 - before.length - (after?.length ?? 0);
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return [...before, ...new Array<number>(missing).fill(0), ...(after ?? [])];
}

/** Groups of four hexadecimal digits; the last of all may be an IPv4 address. */
function groupsOf(text: string, isLast: boolean): number[] | undefined {
  if (text === "") return [];
  const octets: number[] = [];
  const groups = text.split(":");
  for (const [at, group] of groups.entries()) {
    const four = isLast && at === groups.length - 1 && group.includes(".") ? octetsOf4(group) : undefined;
    if (four) octets.push(...four);
    else if (/^[0-9a-f]{1,4}$/i.test(group))
      octets.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return octets;
}

function longestZeros(groups: readonly number[]): { from: number; length: number } {
  let best = { from: 0, length: 0 };
  for (let from = 0; from < groups.length; from++) {
    let length = 0;
    while (groups[from + length] === 0) length++;
    if (length > best.length) best = { from, length };
  }
  return best;
}
