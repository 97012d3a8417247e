// Whose packets a stream believes: the signalled address, or the address the signalling came from when the
// signalled one is private. Learned once, then moved only by signalling.

import type { Stream } from "./stream.ts";
import { type Ip, isSix, makeAddress, parseIp } from "./wire.ts";

/** New signalling: what was learned stays unless the other side named another place. True when it did. */
export function expectFrom(stream: Stream, remote: { address: string; port: number }, rtcpPort: number): boolean {
  const ip = parseIp(remote.address) ?? 0;
  const moved = ip !== stream.signalledIp || remote.port !== stream.signalledPort;
  // An address of zero is a hold of the old kind: nobody moved.
  if (!moved || ip === 0) return false;
  // The phone it spoke with before may go on sending for a while; it must not be learned again.
  stream.formerIp = stream.sourceIp;
  stream.formerPort = stream.sourcePort;
  stream.signalledIp = ip;
  stream.signalledPort = remote.port;
  const latching = stream.settings?.latching;
  const isHidden = latching !== "never" && latching !== "beside" && speaksFor(stream.hintIp, ip);
  stream.natIp = isHidden ? stream.hintIp : 0;
  stream.locked = false;
  stream.sourceIp = 0;
  stream.sourcePort = 0;
  const guess = stream.natIp || ip;
  stream.to = makeAddress(guess, remote.port);
  stream.toRtcp = makeAddress(guess, rtcpPort);
  stream.isProved = isTheirs(stream, guess);
  return true;
}

/** Known to be the other side's before anything has come: its signalling comes from there, or somebody vouches for it. */
function isTheirs({ settings, hintIp, signalledIp, provedIps }: Stream, ip: Ip): boolean {
  if (settings?.source === undefined || ip === hintIp || provedIps.includes(ip)) return true;
  return settings.isVouched === true && ip === signalledIp;
}

/** May this source be believed? Asked only for packets that do not come from the source already learned. */
export function mayLearn(stream: Stream, ip: Ip, port: number): boolean {
  if (stream.signalledIp === 0) return false;
  const exact = ip === stream.signalledIp && port === stream.signalledPort;
  // The signalled place always wins over a neighbour that was merely first.
  if (stream.locked || stream.settings?.latching === "never") return exact;
  if (ip === stream.formerIp && port === stream.formerPort && !exact) return false;
  if (stream.settings?.latching === "any") return true;
  return ip === stream.signalledIp || (ip === stream.natIp && ip !== 0);
}

export function lockTo(stream: Stream, ip: Ip, port: number): void {
  stream.sourceIp = ip;
  stream.sourcePort = port;
  stream.locked = true;
  stream.believeIn(ip);
  stream.to = makeAddress(ip, port);
  const rtcpPort = stream.settings?.rtcpMux ? port : rtcpBeside(stream, port);
  stream.toRtcp = makeAddress(ip, rtcpPort);
}

/** Behind NAT only the ports next to each other can be guessed. */
function rtcpBeside(stream: Stream, port: number): number {
  const signalled = stream.settings?.remoteRtcpPort;
  return signalled !== undefined && port === stream.signalledPort ? signalled : Math.min(port + 1, 65_535);
}

/** The signalled address cannot be reached from where the signalling came from: somebody translates addresses. */
function speaksFor(hintIp: Ip, signalledIp: Ip): boolean {
  if (hintIp === 0 || hintIp === signalledIp || isSix(hintIp) !== isSix(signalledIp)) return false;
  return isPrivate(signalledIp);
}

/** Addresses that mean nothing outside their own network (RFC 1918, 6598, 3927, 1122, 4193, 4291). */
export function isPrivate(ip: Ip): boolean {
  if (isSix(ip)) return isPrivate6(ip);
  const first = ip >>> 24;
  const second = (ip >> 16) & 255;
  if (first === 10 || first === 127 || first === 0) return true;
  if (first === 172) return second >= 16 && second < 32;
  if (first === 192) return second === 168;
  if (first === 169) return second === 254;
  return first === 100 && second >= 64 && second < 128;
}

function isPrivate6(ip: string): boolean {
  const first = (ip.charCodeAt(0) << 8) | ip.charCodeAt(1);
  return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80 || ip.startsWith("\0".repeat(15));
}
