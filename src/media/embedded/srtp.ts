// SRTP and SRTCP (RFC 3711): counters, replays and the four keys of a session; what is done to a packet is in srtp-side.ts.

import type { SrtpKeys } from "../../sdp/agreed.ts";
import { headerLength, sequenceOf, ssrcOf } from "./rtp.ts";
import type { CryptoLibrary } from "./srtp-crypto.ts";
import { deriveKeys, transforms } from "./srtp-keys.ts";
import { ENCRYPTED_BIT, openSide, RTCP_HEADER, type Side, WORD_BYTES } from "./srtp-side.ts";

const WINDOW = 128;
/** Senders start anew when a call moves; more than this in one call is somebody trying things. */
const MOST_SENDERS = 16;
/** Turns of its count that a sender may have made while nobody listened. */
const MOST_TURNS = 2;

type Sender = {
  rollover: number;
  highest: number;
  seen: Float64Array;
  /** It is known from before a time in which nobody listened: how far it is now, its own tag has to say. */
  isAway?: boolean;
};

export type SessionState = {
  keys: SrtpKeys;
  senders: [ssrc: number, sender: Sender][];
  counters: [rollover: number, lastSent: number, rtcpSent: number, rtcpHighest: number];
};

export class Session {
  readonly keys: SrtpKeys;
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

  constructor(keys: SrtpKeys, library: CryptoLibrary) {
    this.keys = keys;
    const { tagBytes, rtcpTagBytes } = transforms[keys.suite];
    const local = deriveKeys(keys.suite, keys.localKey);
    const remote = deriveKeys(keys.suite, keys.remoteKey);
    this.#out = openSide(local.rtp, tagBytes, library);
    this.#outRtcp = openSide(local.rtcp, rtcpTagBytes, library);
    this.#in = openSide(remote.rtp, tagBytes, library);
    this.#inRtcp = openSide(remote.rtcp, rtcpTagBytes, library);
  }

  /** Whether a session with these keys would be this one. */
  has({ suite, localKey, remoteKey }: SrtpKeys): boolean {
    return suite === this.keys.suite && localKey === this.keys.localKey && remoteKey === this.keys.remoteKey;
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
    return this.#out.seal(packet, headerLength(packet, length), length, this.#index);
  }

  /** Returns the length without the tag, or -1: forged, replayed or broken. */
  unprotect(packet: Uint8Array, length: number): number {
    const header = headerLength(packet, length);
    if (header < 0) return -1;
    const ssrc = ssrcOf(packet);
    const sequence = sequenceOf(packet);
    const sender = this.#senders.get(ssrc) ?? this.#newSender(sequence);
    if (!sender) return -1;
    if (sender.isAway) return this.#findAgain(sender, packet, length);
    const rollover = guessRollover(sender, sequence);
    const index = rollover * 65_536 + sequence;
    if (rollover < 0 || isReplayed(sender, index)) return -1;
    this.#place(ssrc, rollover, sequence);
    const end = this.#in.open(packet, header, length, this.#index);
    if (end < 0) return -1;
    this.#senders.set(ssrc, sender);
    remember(sender, index);
    return end;
  }

  /** Only forward: what was sent before is over. */
  #findAgain(sender: Sender, packet: Uint8Array, length: number): number {
    const [ssrc, sequence] = [ssrcOf(packet), sequenceOf(packet)];
    const newest = sender.rollover * 65_536 + sender.highest;
    const sealed = packet.slice(0, length);
    for (let turns = 0; turns <= MOST_TURNS; turns++) {
      const index = (sender.rollover + turns) * 65_536 + sequence;
      if (index <= newest) continue;
      this.#place(ssrc, sender.rollover + turns, sequence);
      const end = this.#in.open(packet, headerLength(packet, length), length, this.#index);
      if (end >= 0) {
        sender.isAway = false;
        remember(sender, index);
        return end;
      }
      // A tag that does not fit may cost the packet.
      packet.set(sealed);
    }
    return -1;
  }

  protectRtcp(packet: Uint8Array, length: number): number {
    const index = this.#rtcpSent++ & 0x7fff_ffff;
    this.#place(rtcpSsrc(packet), index >>> 16, index & 0xffff);
    return this.#outRtcp.sealReport(packet, length, this.#index, (ENCRYPTED_BIT | index) >>> 0);
  }

  unprotectRtcp(packet: Uint8Array, length: number): number {
    const at = this.#inRtcp.wordAt(length);
    if (at < RTCP_HEADER) return -1;
    const word = new DataView(packet.buffer, packet.byteOffset + at, WORD_BYTES).getUint32(0);
    const index = word & 0x7fff_ffff;
    // Reports come every few seconds: in order is good enough, and an older one tells nothing.
    if (index <= this.#rtcpHighest) return -1;
    this.#place(rtcpSsrc(packet), index >>> 16, index & 0xffff);
    const end = this.#inRtcp.openReport(packet, length, this.#index, word);
    if (end >= 0) this.#rtcpHighest = index;
    return end;
  }

  /** Counters and keys, for a session that goes on in another thread. */
  state(): SessionState {
    return {
      keys: this.keys,
      senders: [...this.#senders],
      counters: [this.#rollover, this.#lastSent, this.#rtcpSent, this.#rtcpHighest],
    };
  }

  static from({ senders, counters, keys }: SessionState, library: CryptoLibrary): Session {
    const session = new Session(keys, library);
    for (const [ssrc, sender] of senders) session.#senders.set(ssrc, sender);
    [session.#rollover, session.#lastSent, session.#rtcpSent, session.#rtcpHighest] = counters;
    return session;
  }

  /** One that another process heard last: all that it had sent until then counts as heard. */
  static senderAfter({ rollover, highest }: { rollover: number; highest: number }): Sender {
    const seen = new Float64Array(WINDOW).fill(-1);
    const newest = rollover * 65_536 + highest;
    for (let index = Math.max(0, newest - WINDOW + 1); index <= newest; index++) seen[index % WINDOW] = index;
    return { rollover, highest, seen, isAway: true };
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

/** In RTCP the first word after the header is the sender. */
function rtcpSsrc(packet: Uint8Array): number {
  return ((packet[4]! << 24) | (packet[5]! << 16) | (packet[6]! << 8) | packet[7]!) >>> 0;
}
