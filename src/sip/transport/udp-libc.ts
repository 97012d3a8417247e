// A UDP socket whose datagrams go past node:dgram where they can: a direct call costs a third of an event and a request.
//
// node:dgram owns the socket and rings the bell when something arrives; what else lies in the queue by then is taken
// directly, and whatever is sent goes directly unless the kernel has no room. Absent where koffi, Linux or IPv4 is.

import { type Libc, loadLibc } from "../../libc.ts";
import { openRefusals, type TakeRefusals } from "./udp-refusals.ts";

export type DirectSocket = {
  /** For `bind({ fd })` of a dgram socket, which closes it too. */
  readonly fd: number;
  /** Takes what lies ready, up to a bound that lets timers run. */
  drain(hear: (octets: string, address: string, port: number) => void): void;
  /** Whoever refused a datagram is told of here, with its beginning. */
  onRefused(hear: (octets: string) => void): void;
  /** After whatever failed: what was refused lies in a queue that has to be emptied. */
  takeRefusals(): void;
  /** Kept once nothing lies ready. */
  emptied(): Promise<void>;
  /** False when it could not be done at once: the slower way then waits for room, or says why not. */
  send(octets: string, address: string, port: number): boolean;
};

const AF_INET = 2;
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK_CLOEXEC = 0o4000 | 0o2000000;
const MSG_DONTWAIT = 0x40;
const SOCKADDR_BYTES = 16;
const LONGEST_DATAGRAM = 65_535;
const MOST_AT_ONCE = 32;
const MOST_ADDRESSES = 20_000;

const libc = loadLibc();

export function openDirectSocket(address: string, port: number): DirectSocket | undefined {
  const packed = packedAddress(address);
  if (!libc || packed === undefined) return undefined;
  const fd = libc.socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK_CLOEXEC, 0);
  if (fd < 0) return undefined;
  // Why a port cannot be had is said best by the socket that is opened instead.
  if (libc.bind(fd, writeSockaddr(Buffer.alloc(SOCKADDR_BYTES), packed, port), SOCKADDR_BYTES) !== 0) {
    libc.close(fd);
    return undefined;
  }
  return new Direct(libc, fd);
}

class Direct implements DirectSocket {
  readonly fd: number;
  readonly #libc: Libc;
  readonly #datagram = Buffer.alloc(LONGEST_DATAGRAM);
  readonly #from = Buffer.alloc(SOCKADDR_BYTES);
  readonly #fromLength = Int32Array.of(SOCKADDR_BYTES);
  readonly #outgoing = Buffer.alloc(LONGEST_DATAGRAM);
  readonly #to = Buffer.alloc(SOCKADDR_BYTES);
  readonly #printed = new Map<number, string>();
  readonly #packed = new Map<string, number>();
  readonly #refusals: TakeRefusals | undefined;
  #hearRefused: (octets: string) => void = () => undefined;
  #isEmpty = true;
  #tellEmpty: (() => void)[] = [];

  constructor(libc: Libc, fd: number) {
    this.#libc = libc;
    this.fd = fd;
    this.#refusals = openRefusals(libc, fd);
  }

  onRefused(hear: (octets: string) => void): void {
    this.#hearRefused = hear;
  }

  takeRefusals(): void {
    this.#refusals?.(this.#hearRefused);
  }

  drain(hear: (octets: string, address: string, port: number) => void): void {
    const from = this.#from;
    const { recvfrom } = this.#libc;
    for (let taken = 0; taken < MOST_AT_ONCE; taken++) {
      this.#fromLength[0] = SOCKADDR_BYTES;
      const length = recvfrom(this.fd, this.#datagram, LONGEST_DATAGRAM, MSG_DONTWAIT, from, this.#fromLength);
      if (length < 0) {
        this.takeRefusals(); // what is said here first is the error of an earlier datagram
        return this.#noteEmpty();
      }
      hear(this.#datagram.toString("latin1", 0, length), this.#addressOf(from.readUInt32BE(4)), from.readUInt16BE(2));
    }
    this.#isEmpty = false;
  }

  emptied(): Promise<void> {
    return this.#isEmpty ? Promise.resolve() : new Promise((resolve) => this.#tellEmpty.push(resolve));
  }

  send(octets: string, address: string, port: number): boolean {
    const packed = this.#packedOf(address);
    if (packed === undefined || octets.length > LONGEST_DATAGRAM) return false;
    const length = this.#outgoing.write(octets, "latin1");
    writeSockaddr(this.#to, packed, port);
    if (this.#libc.sendto(this.fd, this.#outgoing, length, MSG_DONTWAIT, this.#to, SOCKADDR_BYTES) === length)
      return true;
    this.takeRefusals(); // as above: what could not be sent is another datagram
    return false;
  }

  #noteEmpty(): void {
    this.#isEmpty = true;
    if (this.#tellEmpty.length === 0) return;
    for (const tell of this.#tellEmpty.splice(0)) tell();
  }

  #addressOf(packed: number): string {
    const known = this.#printed.get(packed);
    if (known !== undefined) return known;
    const address = [packed >>> 24, (packed >>> 16) & 255, (packed >>> 8) & 255, packed & 255].join(".");
    return remembered(this.#printed, packed, address);
  }

  #packedOf(address: string): number | undefined {
    const known = this.#packed.get(address);
    if (known !== undefined) return known;
    const packed = packedAddress(address);
    return packed === undefined ? undefined : remembered(this.#packed, address, packed);
  }
}

function remembered<Key, Value>(memory: Map<Key, Value>, key: Key, value: Value): Value {
  if (memory.size >= MOST_ADDRESSES) memory.clear();
  memory.set(key, value);
  return value;
}

function packedAddress(address: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return undefined;
  const parts = address.split(".").map(Number);
  if (parts.some((part) => part > 255)) return undefined;
  return parts.reduce((packed, part) => packed * 256 + part, 0);
}

function writeSockaddr(into: Buffer, packed: number, port: number): Buffer {
  into.writeUInt16LE(AF_INET, 0); // every Linux that Node runs on here is little-endian
  into.writeUInt16BE(port, 2);
  into.writeUInt32BE(packed, 4);
  return into;
}
