// The sockets of a media thread, seen the same way whether libc or node:dgram stands behind them.

export type SocketHandle = number;

/** Where packets go. The sockaddr is kept ready, because it is needed fifty times a second. */
export type Address = { ip: number; port: number; sockaddr: Uint8Array; text: string | undefined };

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
  readonly fromIp: number;
  readonly fromPort: number;
  /** Undefined when the port is taken. Port 0 takes any. */
  bind(ip: number, port: number): SocketHandle | undefined;
  portOf(socket: SocketHandle): number;
  send(socket: SocketHandle, bytes: Uint8Array, length: number, to: Address): void;
  close(socket: SocketHandle): void;
  /** Stops looking at it without closing it; another wire of this process may take it. */
  release(socket: SocketHandle): void;
  adopt(socket: SocketHandle): void;
  /** Hands on what waits, one datagram a socket, and says from how many: called between long pieces of work. */
  drain(): number;
  serve(traffic: Traffic): void;
  /** File descriptor that the main thread writes to after posting a command; -1 when none is needed. */
  readonly wakeFd: number;
};

export const PACKET_BYTES = 2048;
/** Any IPv4 address. */
export const ANY_IP = 0;

export function makeAddress(ip: number, port: number): Address {
  // Cut from a larger piece: every call needs several, and memory of its own for each is what would make them dear.
  const sockaddr = Buffer.allocUnsafe(SOCKADDR_BYTES);
  writeSockaddr(sockaddr, ip, port);
  return { ip, port, sockaddr, text: undefined };
}

export function writeSockaddr(into: Buffer, ip: number, port: number): void {
  into.writeUInt16LE(AF_INET, 0);
  into.writeUInt16BE(port, 2);
  into.writeUInt32BE(ip, 4);
  into.fill(0, 8, SOCKADDR_BYTES);
}

export function printIp(ip: number): string {
  return `${ip >>> 24}.${(ip >> 16) & 255}.${(ip >> 8) & 255}.${ip & 255}`;
}

/** Undefined when it is not an IPv4 address in digits. */
export function parseIp(text: string): number | undefined {
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
export const SOCKADDR_BYTES = 16;
