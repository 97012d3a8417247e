// Decides, whenever anything about a stream changes, how its sound travels: passed on as it is, or by way of PCM.

import { tableBetween } from "../../codecs/g711.ts";
import type { Codec, LawCodec, PcmRate } from "../../codecs/shape.ts";
import { Hearing } from "./hearing.ts";
import type { Stream } from "./stream.ts";
import type { Thread } from "./thread.ts";

export function replan(thread: Thread, stream: Stream): void {
  planOne(thread, stream);
  if (stream.peer) planOne(thread, stream.peer);
}

function planOne(thread: Thread, stream: Stream): void {
  planRelay(stream);
  if (stream.peer) planRelay(stream.peer);
  planHearing(thread, stream);
  stream.rateSent = rateSent(stream);
  thread.wire.setPatient(stream.rtp, mayWait(stream));
  const paced = isPaced(stream);
  if (paced) thread.paced.add(stream);
  else thread.paced.delete(stream);
}

/** Where this stream's packets go undecoded. */
function planRelay(stream: Stream): void {
  const listener = stream.peer;
  const possible = listener && !stream.saysMuted && hearsOnlyItsPeer(listener) && areAlike(stream, listener);
  const relayTo = possible ? listener : undefined;
  if (relayTo) relayTo.relayTable = recoding(stream.codec, relayTo.codec);
  // Whoever sends to the listener next takes over its numbers afresh.
  if (stream.relayTo && stream.relayTo !== relayTo) stream.relayTo.relayFrom = undefined;
  stream.relayTo = relayTo;
}

function hearsOnlyItsPeer(listener: Stream): boolean {
  return !listener.hearsMuted && !listener.player && !listener.keyTones;
}

function areAlike(a: Stream, b: Stream): boolean {
  if (!a.settings || !b.settings) return false;
  return a.codec === b.codec || recoding(a.codec, b.codec) !== undefined;
}

function recoding(from: Codec | LawCodec, to: Codec | LawCodec): Uint8Array | undefined {
  return "law" in from && "law" in to ? tableBetween(from.law, to.law) : undefined;
}

/** What it says is decoded at the next beat and goes nowhere before; reports and handshakes in the same port would be late. */
function mayWait({ isHeard, relayTo, settings, dtls }: Stream): boolean {
  return isHeard && !relayTo && !settings?.rtcpMux && !dtls;
}

/** We make its frames: something is played, mixed, re-coded, or the peer is silenced. */
function isPaced(stream: Stream): boolean {
  if (!stream.settings) return false;
  if (stream.player || stream.keyTones || stream.room) return true;
  return stream.peer !== undefined && !(stream.peer.relayTo === stream && stream.peer.receives);
}

function planHearing(thread: Thread, stream: Stream): void {
  stream.isHeard = needsPcm(stream);
  if (stream.hearing && (!stream.isHeard || stream.hearing.codec !== stream.codec)) endHearing(thread, stream);
  // Its silence is recorded too; whoever else listens can wait for the first packet.
  if (stream.recorder && stream.isHeard) beginHearing(thread, stream);
  stream.hearing?.useRate(rateHeard(stream));
}

/** A codec that can gives what it hears at the narrow rate when nobody wants more. */
function rateHeard({ codec, recorder, recordings, room, peer }: Stream): PcmRate {
  if (!codec.otherRate || recorder || room || !peer || peer.codec.pcmRate !== codec.otherRate) return codec.pcmRate;
  for (const { rate } of recordings) if (rate !== codec.otherRate) return codec.pcmRate;
  return codec.otherRate;
}

/** What it is sent is coded at the narrow rate when there is nothing more to send. */
function rateSent({ codec, player, keyTones, room, peer }: Stream): PcmRate {
  if (!codec.otherRate || player || keyTones || room || peer?.codec.pcmRate !== codec.otherRate) return codec.pcmRate;
  return codec.otherRate;
}

export function beginHearing(thread: Thread, stream: Stream): Hearing {
  stream.hearing ??= new Hearing(stream.codec, rateHeard(stream));
  thread.decoded.add(stream);
  return stream.hearing;
}

export function endHearing(thread: Thread, stream: Stream): void {
  thread.decoded.delete(stream);
  if (!stream.hearing) return;
  stream.concealedBefore += stream.hearing.concealed;
  stream.hearing.close();
  stream.hearing = undefined;
}

function needsPcm(stream: Stream): boolean {
  if (!stream.settings) return false;
  if (stream.recorder || stream.recordings.size > 0 || stream.room || stream.faxTones || listensInBand(stream))
    return true;
  const listener = stream.peer;
  return listener !== undefined && !stream.saysMuted && !listener.hearsMuted && !areAlike(stream, listener);
}

/** No telephone-event was agreed, and keys can only come as sound; or they are known to come so whatever was agreed. */
export function listensInBand({ settings, eventIn }: Stream): boolean {
  return settings !== undefined && (eventIn < 0 || settings.hearsInband === true);
}
