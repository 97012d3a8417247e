// The sockets of a media thread, seen the same way whether libc or node:dgram stands behind them.

export type SocketHandle = number;

/** Where packets go. The sockaddr is kept ready, because it is needed fifty times a second. */
export type Address = { ip: number; port: number; text: string; sockaddr: Uint8Array };

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
  const sockaddr = Buffer.alloc(16);
  sockaddr.writeUInt16LE(AF_INET, 0);
  sockaddr.writeUInt16BE(port, 2);
  sockaddr.writeUInt32BE(ip, 4);
  return { ip, port, text: printIp(ip), sockaddr };
}

export function printIp(ip: number): string {
  return `${ip >>> 24}.${(ip >> 16) & 255}.${(ip >> 8) & 255}.${ip & 255}`;
}

/** Undefined when it is not an IPv4 address in digits. */
export function parseIp(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((ip, part) => ip * 256 + part, 0);
}

export const AF_INET = 2;
