// Seeded spoiling of packets in octets: the same seed makes the same trouble, so a failure can be had again.

import { below, pick, type Random } from "../sip/sip-mutator.ts";

export type Spoil = (packet: Uint8Array) => Buffer;

type Spoiling = (packet: Buffer, random: Random, others: readonly Uint8Array[]) => Buffer;

const OCTETS = [0, 1, 2, 0x0f, 0x1f, 0x3f, 0x7f, 0x80, 0x90, 0xbf, 0xc0, 0xf0, 0xfe, 0xff];
const MOST_REPEATS = 12;

/** Spoils a packet in one to four ways; others lend their parts. What comes of it is no longer than `most`. */
export function openSpoiler(random: Random, others: readonly Uint8Array[], most = 2_048): Spoil {
  return (packet) => {
    let spoilt: Buffer = Buffer.from(packet);
    for (let times = 1 + below(random, 4); times > 0; times--) spoilt = pick(random, spoilings)(spoilt, random, others);
    return spoilt.subarray(0, most);
  };
}

const cut = (packet: Buffer, from: number, to: number, put: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([packet.subarray(0, from), put, packet.subarray(to)]);

const somewhere = (packet: Buffer, random: Random) => below(random, packet.length + 1);

const spoilings: Spoiling[] = [
  function flipBits(packet, random) {
    for (let times = 1 + below(random, 8); times > 0 && packet.length > 0; times--)
      packet[below(random, packet.length)]! ^= 1 << below(random, 8);
    return packet;
  },
  function putOctet(packet, random) {
    if (packet.length > 0) packet[below(random, packet.length)] = pick(random, OCTETS);
    return packet;
  },
  /** Most fields that say what follows stand in the beginning. */
  function putOctetInHead(packet, random) {
    if (packet.length > 0) packet[below(random, Math.min(20, packet.length))] = below(random, 256);
    return packet;
  },
  function putLength(packet, random) {
    if (packet.length < 2) return packet;
    const at = below(random, packet.length - 1);
    const left = packet.length - at;
    packet.writeUInt16BE(
      pick(random, [0, 1, 3, left, left + 1, left * 4, 0x7fff, 0x8000, 0xfffc, 0xffff]) & 0xffff,
      at,
    );
    return packet;
  },
  function putNumber(packet, random) {
    if (packet.length < 4) return packet;
    const numbers = [0, 1, 15, 16, packet.length + 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    packet.writeUInt32BE(pick(random, numbers), below(random, packet.length - 3));
    return packet;
  },
  function truncate(packet, random) {
    return packet.subarray(0, somewhere(packet, random));
  },
  function cutOut(packet, random) {
    const at = somewhere(packet, random);
    return cut(packet, at, Math.min(packet.length, at + below(random, 30)));
  },
  function repeatPart(packet, random) {
    const at = somewhere(packet, random);
    const part = packet.subarray(at, at + below(random, 40));
    return cut(packet, at, at, Buffer.concat(Array<Buffer>(1 + below(random, MOST_REPEATS)).fill(part)));
  },
  function splice(packet, random, others) {
    const other = Buffer.from(pick(random, others));
    return cut(packet, somewhere(packet, random), packet.length, other.subarray(somewhere(other, random)));
  },
  function lendPart(packet, random, others) {
    const other = Buffer.from(pick(random, others));
    const from = somewhere(other, random);
    const at = somewhere(packet, random);
    return cut(packet, at, at, other.subarray(from, from + below(random, 60)));
  },
  function putNoise(packet, random) {
    const noise = Buffer.from(Array.from({ length: below(random, 60) }, () => below(random, 256)));
    return cut(packet, somewhere(packet, random), packet.length, noise);
  },
  function fillUp(packet, random) {
    return cut(packet, packet.length, packet.length, Buffer.alloc(below(random, 2_000), pick(random, OCTETS)));
  },
];
