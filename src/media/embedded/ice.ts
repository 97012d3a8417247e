// A stream whose other side finds its own way to us (ICE, RFC 8445, of which we are the lite side): it checks the ways there
// are and chooses one, we answer, and speak to where it was chosen from. Only whoever knows the password is believed.

import type { IceTerms } from "../../sdp/agreed.ts";
import { noteProved } from "./advance-stream.ts";
import { lockTo } from "./learn.ts";
import type { Stream } from "./stream.ts";
import { type Place, readCheck, type StreamIce, writeAnswer } from "./stun.ts";
import type { Thread } from "./thread.ts";
import { type Ip, isSix, makeAddress, type SocketHandle } from "./wire.ts";

/** A browser has a few ways at most. */
const MOST_VOUCHED = 8;
const MOST_TRIES = 64;
/** A browser sends fifty packets a second whether or not its owner speaks. */
const AWAY_MS = 1_500;
/** Browsers check every few seconds for as long as they are there, though some only from the answer of the call on. */
const UNREACHABLE_MS = 30_000;

const answer = Buffer.alloc(128);

/** After offer and answer. With new terms the old way is used until the other side has chosen another one. */
export function settleIce(thread: Thread, stream: Stream): void {
  const terms = stream.settings?.ice;
  const { ice } = stream;
  if (!terms) {
    stream.ice = undefined;
    stream.out = stream.rtp;
  } else if (!ice || !isSame(terms, ice.terms)) stream.ice = begin(terms, ice?.vouched ?? [], thread.nowMs);
}

/** Its terms and the way it had chosen came from another thread or process. */
export function adoptIce(thread: Thread, stream: Stream): void {
  const terms = stream.settings?.ice;
  if (!terms) return;
  const { locked, sourceIp, sourcePort } = stream;
  stream.ice = begin(terms, locked ? [{ ip: sourceIp, port: sourcePort }] : [], thread.nowMs);
  if (locked) stream.out = wayTo(thread, stream, sourceIp);
}

/** Nobody listened for a while: it counts as away until it shows itself. */
export function awaitAgain(stream: Stream): void {
  if (!stream.ice) return;
  stream.ice.awaited = stream.packetsIn;
  stream.saidAway = true;
}

/** What looks like STUN lies in `thread.wire.packet`. */
export function takeCheck(thread: Thread, stream: Stream, length: number): void {
  const { ice } = stream;
  const { packet, fromIp: ip, fromPort: port } = thread.wire;
  const check = ice && readCheck(packet, length, ice);
  if (!check || !isFresh(ice, check.transaction, { ip, port })) {
    stream.refused += 1;
    return;
  }
  const size = writeAnswer(answer, check, { ip, port }, ice.password);
  const isChosen = stream.locked && ip === stream.sourceIp && port === stream.sourcePort;
  const to = isChosen ? stream.to! : makeAddress(ip, port); // a stream that is locked has it
  thread.wire.send(wayTo(thread, stream, ip), answer, size, to);
  if (check.isControlled) return;
  ice.checkedAtMs = thread.nowMs;
  ice.awaited = undefined;
  vouch(ice, { ip, port });
  if (isChosen || (stream.locked && !check.isNominated)) return;
  stream.out = wayTo(thread, stream, ip);
  lockTo(stream, ip, port);
  noteProved(thread, stream);
}

/** It has not come by any way yet: its silence says nothing more. */
export function isSought({ ice }: Stream): boolean {
  return ice !== undefined && ice.vouched.length === 0;
}

/** Whether what comes from there may be the other side's: its keys say the rest. */
export function isVouched({ vouched }: StreamIce, ip: Ip, port: number): boolean {
  for (const place of vouched) if (place.port === port && place.ip === ip) return true;
  return false;
}

/** A few times a second. Nothing is missed before the first packet, or while the other side is not to speak. */
export function noticeAbsence(thread: Thread, stream: Stream): void {
  const { ice } = stream;
  if (!ice) return;
  if (ice.awaited !== stream.packetsIn) ice.awaited = undefined;
  const isMissed = stream.receives && stream.packetsIn > 0 && thread.nowMs - stream.heardAtMs > AWAY_MS;
  const isAway = isMissed || ice.awaited !== undefined;
  if (isAway !== stream.saidAway) {
    stream.saidAway = isAway;
    thread.tell({ is: "away", stream: stream.id, on: isAway });
  }
  if (thread.nowMs - ice.checkedAtMs < UNREACHABLE_MS) return;
  ice.checkedAtMs = thread.nowMs; // it is told again
  thread.tell({ is: "unreachable", stream: stream.id });
}

/** Of a pair for browsers the first socket may be of the one family and the second of the other. */
function wayTo({ browsersInBoth, pools }: Thread, { rtp, rtcp, at }: Stream, ip: Ip): SocketHandle {
  return browsersInBoth && at === pools.length - 1 && isSix(ip) ? rtcp : rtp;
}

function begin(terms: IceTerms, vouched: Place[], nowMs: number): StreamIce {
  const username = Buffer.from(`${terms.localUfrag}:${terms.remoteUfrag}`);
  const password = Buffer.from(terms.localPassword);
  return { terms, username, password, vouched, tries: new Map(), checkedAtMs: nowMs, awaited: undefined };
}

function isFresh({ tries }: StreamIce, transaction: string, from: Place): boolean {
  const before = tries.get(transaction);
  if (before) return before.ip === from.ip && before.port === from.port;
  if (tries.size >= MOST_TRIES) for (const oldest of tries.keys()) return tries.delete(oldest) && remember();
  return remember();

  function remember(): boolean {
    tries.set(transaction, from);
    return true;
  }
}

function vouch({ vouched }: StreamIce, place: Place): void {
  const known = vouched.findIndex(({ ip, port }) => ip === place.ip && port === place.port);
  if (known >= 0) vouched.splice(known, 1);
  else if (vouched.length >= MOST_VOUCHED) vouched.shift();
  vouched.push(place);
}

function isSame(one: IceTerms, other: IceTerms): boolean {
  return (
    one.localUfrag === other.localUfrag &&
    one.localPassword === other.localPassword &&
    one.remoteUfrag === other.remoteUfrag
  );
}
