// Datagrams that came back: where nobody listens, the other machine says so by ICMP, and Linux keeps the beginning of
// what was sent in the socket's error queue (ip(7), IP_RECVERR). It has to be emptied, or the socket never rests.

import { type Libc, loadKoffi } from "../../libc.ts";

/** The beginning of the datagram: the first line and the top Via of a SIP message, and usually more. */
export type TakeRefusals = (hear: (octets: string) => void) => void;

const IPPROTO_IP = 0;
const IP_RECVERR = 11;
const MSG_ERRQUEUE_DONTWAIT = 0x2000 | 0x40;
const ICMP = 2;
const ECONNREFUSED = 111;
const EHOSTUNREACH = 113;
const MOST_AT_ONCE = 64;

/** What Linux's msghdr and cmsghdr look like where a pointer has eight octets. */
const HEADER = { octets: 56, nameLength: 8, parts: 16, partCount: 24, control: 32, controlLength: 40 };
const CONTROL = { octets: 128, errno: 16, origin: 20 };
const POINTER_OCTETS = 8;

/** Undefined where it cannot be had: then a transaction finds out by its timer. */
export function openRefusals(libc: Libc, fd: number): TakeRefusals | undefined {
  const koffi = loadKoffi() as { address?(buffer: Buffer): bigint } | undefined;
  if (!koffi?.address || !["arm64", "x64"].includes(process.arch)) return undefined;
  const on = Buffer.alloc(4);
  on.writeInt32LE(1);
  if (libc.setsockopt(fd, IPPROTO_IP, IP_RECVERR, on, on.length) !== 0) return undefined;
  const datagram = Buffer.alloc(2_048);
  const control = Buffer.alloc(CONTROL.octets);
  const part = Buffer.alloc(2 * POINTER_OCTETS);
  const header = Buffer.alloc(HEADER.octets);
  part.writeBigUInt64LE(koffi.address(datagram), 0);
  header.writeBigUInt64LE(koffi.address(part), HEADER.parts);
  header.writeBigUInt64LE(1n, HEADER.partCount);
  header.writeBigUInt64LE(koffi.address(control), HEADER.control);
  return (hear) => {
    for (let taken = 0; taken < MOST_AT_ONCE; taken++) {
      // The kernel finds this buffer by its address alone: unless it is used here it is swept away.
      part.writeBigUInt64LE(BigInt(datagram.length), POINTER_OCTETS);
      header.writeBigUInt64LE(BigInt(CONTROL.octets), HEADER.controlLength);
      const length = libc.recvmsg(fd, header, MSG_ERRQUEUE_DONTWAIT);
      if (length < 0) return;
      const errno = control.readUInt32LE(CONTROL.errno);
      const isRefusal = control[CONTROL.origin] === ICMP && (errno === ECONNREFUSED || errno === EHOSTUNREACH);
      if (isRefusal) hear(datagram.toString("latin1", 0, length));
    }
  };
}
