// The sockets of a media thread, seen the same way whether libc or node:dgram stands behind them.

import { isUnspecified, octetsOf, printed } from "../../addresses.ts";

export type SocketHandle = number;

/** An IPv4 address as a number, an IPv6 one as its sixteen octets in a string: either is compared by ===. */
export type Ip = number | string;

/** Where packets go. The sockaddr is kept ready, because it is needed fifty times a second. */
export type Address = { ip: Ip; port: number; sockaddr: Uint8Array; text: string | undefined };

export type Traffic = {
  /** Datagrams arrived; said once for all that are handed on now, because reading the clock for each is dear. */
  woke(nowMs: number): void;
  /** A datagram lies in `wire.packet`, sent by `wire.fromIp`:`wire.fromPort`. */
  arrived(socket: SocketHandle, length: number): void;
  /** Whatever is due now; says how many milliseconds may pass until the next turn. */
  turn(nowMs: number): number;
  /** Takes the commands that wait; false means stop. */
  takeCommands(): boolean;
};

export type Wire = {
  readonly packet: Buffer;
  readonly fromIp: Ip;
  readonly fromPort: number;
  /** Undefined when the port is taken. Port 0 takes any. */
  bind(ip: Ip, port: number): SocketHandle | undefined;
  portOf(socket: SocketHandle): number;
  send(socket: SocketHandle, bytes: Uint8Array, length: number, to: Address): void;
  close(socket: SocketHandle): void;
  /** Stops looking at it without closing it; another wire of this process may take it. */
  release(socket: SocketHandle): void;
  adopt(socket: SocketHandle): void;
  /**
   * Nothing that comes to a patient socket has to go on at once: it wakes nobody and lies until it is collected, so that
   * many datagrams cost one look.
   */
  setPatient(socket: SocketHandle, isPatient: boolean): void;
  /** Hands on everything that lies in patient sockets. */
  collect(): void;
  /** When the datagram at hand arrived, in milliseconds from whenever; 0 for just now. */
  readonly stampMs: number;
  /** Hands on what waits, one datagram a socket, and says from how many: called between long pieces of work. */
  drain(): number;
  serve(traffic: Traffic): void;
  /** File descriptor that the main thread writes to after posting a command; -1 when none is needed. */
  readonly wakeFd: number;
  /** Descriptors of its own beside the sockets. They outlive the thread, and are closed once, by whoever sees it end. */
  readonly leaves: readonly number[];
};

export const PACKET_BYTES = 2048;
/** Any IPv4 address, and any IPv6 one. */
export const ANY_IP = 0;
export const ANY_IP6 = "\0".repeat(16);

export function makeAddress(ip: Ip, port: number): Address {
  // Cut from a larger piece: every call needs several, and memory of its own for each is what would make them dear.
  const sockaddr = Buffer.allocUnsafe(sockaddrBytes(ip));
  writeSockaddr(sockaddr, ip, port);
  return { ip, port, sockaddr, text: undefined };
}

export const isSix = (ip: Ip): ip is string => typeof ip === "string";

export const sockaddrBytes = (ip: Ip): number => (isSix(ip) ? SOCKADDR6_BYTES : SOCKADDR_BYTES);

export function writeSockaddr(into: Buffer, ip: Ip, port: number): void {
  into.writeUInt16LE(isSix(ip) ? AF_INET6 : AF_INET, 0);
  into.writeUInt16BE(port, 2);
  into.fill(0, 4, sockaddrBytes(ip));
  if (isSix(ip)) into.write(ip, IP6_OFFSET, "latin1");
  else into.writeUInt32BE(ip, 4);
}

export function printIp(ip: Ip): string {
  if (isSix(ip)) return printed([...Buffer.from(ip, "latin1")]);
  return `${ip >>> 24}.${(ip >> 16) & 255}.${(ip >> 8) & 255}.${ip & 255}`;
}

/** Undefined when it is no address in digits; `::` is nobody, as 0.0.0.0 is. */
export function parseIp(text: string): Ip | undefined {
  if (!text.includes(":")) return parseIp4(text);
  const octets = octetsOf(text);
  if (octets?.length !== 16) return octets && parseIp4(printed(octets));
  return isUnspecified(text) ? 0 : Buffer.from(octets).toString("latin1");
}

function parseIp4(text: string): number | undefined {
  let ip = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT && digits > 0) {
      ip = ip * 256 + part;
      dots += 1;
      part = digits = 0;
    } else if (code >= ZERO && code <= NINE && digits < 3) {
      part = part * 10 + code - ZERO;
      digits += 1;
      if (part > 255) return undefined;
    } else return undefined;
  }
  return dots === 3 && digits > 0 ? ip * 256 + part : undefined;
}

const DOT = 46;
const ZERO = 48;
const NINE = 57;
export const AF_INET = 2;
export const AF_INET6 = 10;
const SOCKADDR_BYTES = 16;
export const SOCKADDR6_BYTES = 28;
export const IP6_OFFSET = 8;
