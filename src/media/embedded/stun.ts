// STUN as far as a side needs it that only answers checks (RFC 8489, RFC 8445 section 7.3): a request is believed by the
// password that it is signed with, and answered with where it came from.

import { createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { IceTerms } from "../../sdp/agreed.ts";
import { type Ip, isSix } from "./wire.ts";

const HEADER = 20;
const MAGIC = 0x2112_a442;
const TRANSACTION = 8;
const REQUEST = 0x0001;
const SUCCESS = 0x0101;
const REFUSAL = 0x0111;
const USERNAME = 0x0006;
const SIGNATURE = 0x0008;
const ERROR_CODE = 0x0009;
const MAPPED = 0x0020;
const NOMINATED = 0x0025;
const CONTROLLED = 0x8029;
const FINGERPRINT = 0x8028;
const FINGERPRINT_MASK = 0x5354_554e;
const SIGNATURE_BYTES = 20;
/** Browsers' checks have a hundred; what is longer is not looked at. */
const LONGEST_CHECK = 548;

/** By what a check of the other side is known: the user name that it has to give, and the password it is signed with. */
export type CheckKeys = { username: Buffer; password: Buffer };

export type Place = { ip: Ip; port: number };

/** A stream whose other side finds its own way. */
export type StreamIce = CheckKeys & {
  terms: IceTerms;
  /** Where believed checks came from, the newest last. */
  vouched: Place[];
  /** The last tries, and where each came from: seen again from elsewhere it is somebody who listened on the way. */
  tries: Map<string, Place>;
  /** When it last showed that it is there, or began to be expected, or was last told to be missing. */
  checkedAtMs: number;
  /** Known from an earlier process, and not heard of since: how many packets it had sent by then. */
  awaited: number | undefined;
};

export type Check = {
  /** Which try it is: twelve octets, as characters. */
  transaction: string;
  /** The other side has chosen this way. */
  isNominated: boolean;
  /** It takes us for the side that chooses, which we never are. */
  isControlled: boolean;
};

/** RFC 7983: what begins so is STUN, whatever else comes at the same port. */
export const looksLikeStun = (packet: Uint8Array): boolean => packet[0]! < 4;

/** Undefined when it is no check, or not from whoever knows the password. */
export function readCheck(packet: Buffer, length: number, { username, password }: CheckKeys): Check | undefined {
  if (length < HEADER || length > LONGEST_CHECK || packet.readUInt16BE(0) !== REQUEST) return undefined;
  if (packet.readUInt16BE(2) !== length - HEADER || packet.readUInt32BE(4) !== MAGIC) return undefined;
  const check = {
    transaction: packet.toString("latin1", TRANSACTION, HEADER),
    isNominated: false,
    isControlled: false,
  };
  let isForUs = false;
  for (let at = HEADER; at + 4 <= length; ) {
    const type = packet.readUInt16BE(at);
    const bytes = packet.readUInt16BE(at + 2);
    const end = at + 4 + bytes;
    if (end > length) return undefined;
    // Whoever does not even know the name costs no more than this.
    if (type === USERNAME) isForUs = bytes === username.length && username.compare(packet, at + 4, end) === 0;
    else if (type === NOMINATED) check.isNominated = true;
    else if (type === CONTROLLED) check.isControlled = true;
    else if (type === SIGNATURE)
      return isForUs && bytes === SIGNATURE_BYTES && isSigned(packet, at, password) ? check : undefined;
    at = end + ((4 - (bytes & 3)) & 3);
  }
  return undefined;
}

/** What stands behind the signature is not covered by it, and is not looked at. */
function isSigned(packet: Buffer, at: number, password: Buffer): boolean {
  packet.writeUInt16BE(at + 4 + SIGNATURE_BYTES - HEADER, 2);
  const signature = createHmac("sha1", password).update(packet.subarray(0, at)).digest();
  return timingSafeEqual(signature, packet.subarray(at + 4, at + 4 + SIGNATURE_BYTES));
}

/** Into a buffer of a hundred octets or more. Returns the length. */
export function writeAnswer(into: Buffer, check: Check, from: Place, password: Buffer): number {
  into.writeUInt16BE(check.isControlled ? REFUSAL : SUCCESS, 0);
  into.writeUInt32BE(MAGIC, 4);
  into.write(check.transaction, TRANSACTION, "latin1");
  const end = check.isControlled ? writeConflict(into) : writeMapped(into, from);
  into.writeUInt16BE(end + 4 + SIGNATURE_BYTES - HEADER, 2);
  writeHead(into, end, SIGNATURE, SIGNATURE_BYTES);
  createHmac("sha1", password)
    .update(into.subarray(0, end))
    .digest()
    .copy(into, end + 4);
  const signed = end + 4 + SIGNATURE_BYTES;
  into.writeUInt16BE(signed + 8 - HEADER, 2);
  writeHead(into, signed, FINGERPRINT, 4);
  into.writeUInt32BE((crc32(into.subarray(0, signed)) ^ FINGERPRINT_MASK) >>> 0, signed + 4);
  return signed + 8;
}

function writeMapped(into: Buffer, { ip, port }: Place): number {
  const six = isSix(ip);
  const bytes = six ? 20 : 8;
  writeHead(into, HEADER, MAPPED, bytes);
  into.writeUInt16BE(six ? 2 : 1, HEADER + 4);
  into.writeUInt16BE(port ^ (MAGIC >>> 16), HEADER + 6);
  if (six) {
    into.write(ip, HEADER + 8, "latin1");
    // Hidden behind the magic number and the transaction, which stand in a row in the header.
    for (let i = 0; i < 16; i++) into[HEADER + 8 + i]! ^= into[4 + i]!;
  } else into.writeUInt32BE((ip ^ MAGIC) >>> 0, HEADER + 8);
  return HEADER + 4 + bytes;
}

/** "Role Conflict": let it be the one that chooses. */
function writeConflict(into: Buffer): number {
  writeHead(into, HEADER, ERROR_CODE, 4);
  into.writeUInt32BE(0x0457, HEADER + 4);
  return HEADER + 8;
}

function writeHead(into: Buffer, at: number, type: number, bytes: number): void {
  into.writeUInt16BE(type, at);
  into.writeUInt16BE(bytes, at + 2);
}
