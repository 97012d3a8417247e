// Receives a datagram with the moment of its arrival, as the kernel noted it: whoever looks only now and then could not say.

import { type Libc, loadKoffi } from "../../libc.ts";

const SOL_SOCKET = 1;
const SO_TIMESTAMPNS = 35;
const MSG_DONTWAIT = 0x40;
const YES = Int32Array.of(1);

/** Where things stand in Linux's msghdr and cmsghdr when a pointer has eight octets: in octets, and in words of four. */
const HEADER = { octets: 56, name: 0, parts: 16, partCount: 24, control: 32 };
const WORD = { nameLength: 2, controlLength: 10, type: 3, seconds: 4, nanoseconds: 6 };
const POINTER_OCTETS = 8;
const CONTROL_OCTETS = 64;

export class StampedReceive {
  /** Of the datagram at hand, counted from whenever the kernel counts; 0 when it was not noted. */
  stampMs = 0;
  readonly #libc: Libc;
  readonly #from: Buffer;
  readonly #part = Buffer.alloc(2 * POINTER_OCTETS);
  readonly #header = Buffer.alloc(HEADER.octets);
  readonly #control = Buffer.alloc(CONTROL_OCTETS);
  readonly #headerWords = words(this.#header);
  readonly #controlWords = words(this.#control);

  private constructor(libc: Libc, address: (buffer: Buffer) => bigint, packet: Buffer, from: Buffer) {
    this.#libc = libc;
    this.#from = from;
    this.#part.writeBigUInt64LE(address(packet), 0);
    this.#part.writeBigUInt64LE(BigInt(packet.length), POINTER_OCTETS);
    this.#header.writeBigUInt64LE(address(from), HEADER.name);
    this.#header.writeBigUInt64LE(address(this.#part), HEADER.parts);
    this.#header.writeBigUInt64LE(1n, HEADER.partCount);
    this.#header.writeBigUInt64LE(address(this.#control), HEADER.control);
  }

  /** Datagrams go to `packet` and where they come from to `from`, which must stay. Undefined where it cannot be had. */
  static open(libc: Libc, packet: Buffer, from: Buffer): StampedReceive | undefined {
    const koffi = loadKoffi() as { address?(buffer: Buffer): bigint } | undefined;
    if (!koffi?.address || !["arm64", "x64"].includes(process.arch)) return undefined;
    return new StampedReceive(libc, koffi.address, packet, from);
  }

  /** The kernel notes the arrivals of this socket from now on. */
  begin(socket: number): void {
    this.#libc.setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, YES, 4);
  }

  /** Hot. Its length, or a negative number when there is none. */
  receive(socket: number): number {
    this.#headerWords[WORD.nameLength] = this.#from.length;
    this.#headerWords[WORD.controlLength] = CONTROL_OCTETS;
    const length = this.#libc.recvmsg(socket, this.#header, MSG_DONTWAIT);
    const isStamped = this.#headerWords[WORD.controlLength] !== 0 && this.#controlWords[WORD.type] === SO_TIMESTAMPNS;
    this.stampMs = isStamped
      ? this.#controlWords[WORD.seconds]! * 1000 + this.#controlWords[WORD.nanoseconds]! / 1e6
      : 0;
    return length;
  }
}

/** Zero-filled buffers of their own, so the beginning is a multiple of four. */
function words(buffer: Buffer): Uint32Array {
  return new Uint32Array(buffer.buffer, buffer.byteOffset, buffer.length >> 2);
}
