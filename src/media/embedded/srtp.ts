// SRTP and SRTCP (RFC 3711) with the one suite every phone knows: AES_CM_128_HMAC_SHA1_80.

import { timingSafeEqual } from "node:crypto";
import { headerLength, sequenceOf, ssrcOf, writeUint32 } from "./rtp.ts";
import type { Cipher, CryptoLibrary, Signer } from "./srtp-crypto.ts";
import { deriveKeys, type Keys } from "./srtp-keys.ts";

const TAG_BYTES = 10;
const RTCP_HEADER = 8;
const INDEX_BYTES = 4;
const ENCRYPTED_BIT = 0x8000_0000;
const WINDOW = 128;
/** Senders start anew when a call moves; more than this in one call is somebody trying things. */
const MOST_SENDERS = 16;

class Side {
  readonly #cipher: Cipher;
  readonly #signer: Signer;
  readonly #salt: Buffer;
  readonly #iv = new Uint8Array(16);
  readonly #trailer = new Uint8Array(4);

  constructor({ cipher, auth, salt }: Keys, library: CryptoLibrary) {
    this.#cipher = library.openCipher(cipher);
    this.#signer = library.openSigner(auth);
    this.#salt = salt;
  }

  /** The index has up to 48 bits: its high part and its low 16. */
  crypt(packet: Uint8Array, from: number, to: number, index: { ssrc: number; high: number; low: number }): void {
    const iv = this.#iv;
    iv.set(this.#salt);
    iv[14] = 0;
    iv[15] = 0;
    xorUint32(iv, 4, index.ssrc);
    xorUint32(iv, 8, index.high);
    iv[12]! ^= index.low >> 8;
    iv[13]! ^= index.low & 255;
    this.#cipher.apply(packet, from, to, iv);
  }

  tag(packet: Uint8Array, length: number, trailer: number): Uint8Array {
    writeUint32(this.#trailer, 0, trailer);
    return this.#signer.sign(packet, length, this.#trailer).subarray(0, TAG_BYTES);
  }

  close(): void {
    this.#cipher.close();
    this.#signer.close();
  }

  matches(packet: Uint8Array, length: number, trailer: number): boolean {
    return timingSafeEqual(this.tag(packet, length, trailer), packet.subarray(length, length + TAG_BYTES));
  }
}

type Sender = { rollover: number; highest: number; seen: Float64Array };

export type SessionState = {
  localKey: string;
  remoteKey: string;
  senders: [ssrc: number, sender: Sender][];
  counters: [rollover: number, lastSent: number, rtcpSent: number, rtcpHighest: number];
};

export class Session {
  readonly localKey: string;
  readonly remoteKey: string;
  readonly #out: Side;
  readonly #outRtcp: Side;
  readonly #in: Side;
  readonly #inRtcp: Side;
  readonly #senders = new Map<number, Sender>();
  readonly #index = { ssrc: 0, high: 0, low: 0 };
  #rollover = 0;
  #lastSent = -1;
  #rtcpSent = 0;
  #rtcpHighest = -1;

  constructor(keys: { localKey: string; remoteKey: string }, library: CryptoLibrary) {
    this.localKey = keys.localKey;
    this.remoteKey = keys.remoteKey;
    const local = deriveKeys(keys.localKey);
    const remote = deriveKeys(keys.remoteKey);
    this.#out = new Side(local.rtp, library);
    this.#outRtcp = new Side(local.rtcp, library);
    this.#in = new Side(remote.rtp, library);
    this.#inRtcp = new Side(remote.rtcp, library);
  }

  /** Returns the new length. The buffer must have room for the tag. */
  protect(packet: Uint8Array, length: number): number {
    const sequence = sequenceOf(packet);
    if (this.#lastSent >= 0 && sequence < this.#lastSent && this.#lastSent - sequence > 0x8000) this.#rollover += 1;
    // A late packet from before the turn belongs to the count before it.
    const isLate = this.#lastSent >= 0 && sequence - this.#lastSent > 0x8000;
    const rollover = isLate ? Math.max(0, this.#rollover - 1) : this.#rollover;
    if (!isLate) this.#lastSent = sequence;
    this.#place(ssrcOf(packet), rollover, sequence);
    this.#out.crypt(packet, headerLength(packet, length), length, this.#index);
    packet.set(this.#out.tag(packet, length, rollover), length);
    return length + TAG_BYTES;
  }

  /** Returns the length without the tag, or -1: forged, replayed or broken. */
  unprotect(packet: Uint8Array, length: number): number {
    const end = length - TAG_BYTES;
    const header = headerLength(packet, end);
    if (header < 0) return -1;
    const ssrc = ssrcOf(packet);
    const sequence = sequenceOf(packet);
    const sender = this.#senders.get(ssrc) ?? this.#newSender(sequence);
    if (!sender) return -1;
    const rollover = guessRollover(sender, sequence);
    const index = rollover * 65_536 + sequence;
    if (rollover < 0 || isReplayed(sender, index) || !this.#in.matches(packet, end, rollover)) return -1;
    this.#senders.set(ssrc, sender);
    remember(sender, index);
    this.#place(ssrc, rollover, sequence);
    this.#in.crypt(packet, header, end, this.#index);
    return end;
  }

  protectRtcp(packet: Uint8Array, length: number): number {
    const index = this.#rtcpSent++ & 0x7fff_ffff;
    this.#place(rtcpSsrc(packet), index >>> 16, index & 0xffff);
    this.#outRtcp.crypt(packet, RTCP_HEADER, length, this.#index);
    const trailer = (ENCRYPTED_BIT | index) >>> 0;
    packet.set(this.#outRtcp.tag(packet, length, trailer), length + INDEX_BYTES);
    writeUint32(packet, length, trailer);
    return length + INDEX_BYTES + TAG_BYTES;
  }

  unprotectRtcp(packet: Uint8Array, length: number): number {
    const end = length - TAG_BYTES - INDEX_BYTES;
    if (end < RTCP_HEADER) return -1;
    const trailer = new DataView(packet.buffer, packet.byteOffset + end, INDEX_BYTES).getUint32(0);
    const index = trailer & 0x7fff_ffff;
    // Reports come every few seconds: in order is good enough, and an older one tells nothing.
    if (index <= this.#rtcpHighest) return -1;
    // The tag stands behind the index, which it covers.
    packet.copyWithin(end, end + INDEX_BYTES, length);
    if (!this.#inRtcp.matches(packet, end, trailer)) return -1;
    this.#rtcpHighest = index;
    this.#place(rtcpSsrc(packet), index >>> 16, index & 0xffff);
    if (trailer & ENCRYPTED_BIT) this.#inRtcp.crypt(packet, RTCP_HEADER, end, this.#index);
    return end;
  }

  /** Counters and keys, for a session that goes on in another thread. */
  state(): SessionState {
    return {
      localKey: this.localKey,
      remoteKey: this.remoteKey,
      senders: [...this.#senders],
      counters: [this.#rollover, this.#lastSent, this.#rtcpSent, this.#rtcpHighest],
    };
  }

  static from({ senders, counters, ...keys }: SessionState, library: CryptoLibrary): Session {
    const session = new Session(keys, library);
    for (const [ssrc, sender] of senders) session.#senders.set(ssrc, sender);
    [session.#rollover, session.#lastSent, session.#rtcpSent, session.#rtcpHighest] = counters;
    return session;
  }

  /** Nothing may be asked of it afterwards. */
  close(): void {
    for (const side of [this.#out, this.#outRtcp, this.#in, this.#inRtcp]) side.close();
  }

  #newSender(sequence: number): Sender | undefined {
    if (this.#senders.size >= MOST_SENDERS) return undefined;
    return { rollover: 0, highest: sequence, seen: new Float64Array(WINDOW).fill(-1) };
  }

  #place(ssrc: number, high: number, low: number): void {
    this.#index.ssrc = ssrc;
    this.#index.high = high;
    this.#index.low = low;
  }
}

/** RFC 3711 section 3.3.1: the count of turns that brings the number nearest to the highest seen. */
function guessRollover({ rollover, highest }: Sender, sequence: number): number {
  if (highest < 0x8000) return sequence - highest > 0x8000 ? rollover - 1 : rollover;
  return highest - 0x8000 > sequence ? rollover + 1 : rollover;
}

function isReplayed(sender: Sender, index: number): boolean {
  const newest = sender.rollover * 65_536 + sender.highest;
  return index <= newest - WINDOW || sender.seen[index % WINDOW] === index;
}

function remember(sender: Sender, index: number): void {
  sender.seen[index % WINDOW] = index;
  if (index <= sender.rollover * 65_536 + sender.highest) return;
  sender.rollover = Math.floor(index / 65_536);
  sender.highest = index % 65_536;
}

function xorUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at]! ^= value >>> 24;
  bytes[at + 1]! ^= (value >> 16) & 255;
  bytes[at + 2]! ^= (value >> 8) & 255;
  bytes[at + 3]! ^= value & 255;
}

/** In RTCP the first word after the header is the sender. */
function rtcpSsrc(packet: Uint8Array): number {
  return ((packet[4]! << 24) | (packet[5]! << 16) | (packet[6]! << 8) | packet[7]!) >>> 0;
}
