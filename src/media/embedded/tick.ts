// Fifty times a second: what was said becomes frames, frames are listened to, mixed, recorded and sent.

import type { PcmRate } from "../../codecs/shape.ts";
import { tickDtls } from "./dtls-stream.ts";
import { KeyListener } from "./dtmf.ts";
import { endKeyTones, endPlaying, endRecording } from "./ending.ts";
import { FaxListener } from "./fax-tone.ts";
import { isSought, noticeAbsence } from "./ice.ts";
import { keyHeardInBand, takeHeard } from "./keys.ts";
import { listensInBand } from "./plan.ts";
import { sendReportIfDue } from "./rtcp.ts";
import { nextTimestamp, sendFrame, sendPress } from "./send.ts";
import { maySend, type Stream } from "./stream.ts";
import { SLOW_ROUNDS, type Thread } from "./thread.ts";

/** Streams worked on before the sockets get another look, so that a full tick does not delay what is only passed on. */
const STREAMS_BETWEEN_LOOKS = 16;
/** Without a packet for so long, the end of a key was lost. */
const LOST_END_MS = 200;

const frames: Record<PcmRate, Int16Array> = { 8000: new Int16Array(160), 16000: new Int16Array(320) };

type Lose = (stream: Stream, why: unknown) => void;

export function tick(thread: Thread, lose: Lose): void {
  let worked = 0;
  const each = (streams: Iterable<Stream>, act: (thread: Thread, stream: Stream) => void) => {
    for (const stream of streams) {
      attempt(thread, { stream, act, lose });
      if (++worked % STREAMS_BETWEEN_LOOKS === 0) thread.wire.drain();
    }
  };
  thread.wire.collect();
  each(thread.decoded, listen);
  each(thread.pressing, press);
  each(thread.openEvents, endLostEvents);
  each(thread.paced, speak);
  for (const recorder of thread.recordings.values()) recorder.tick();
}

function attempt(thread: Thread, { stream, act, lose }: { stream: Stream; act: typeof listen; lose: Lose }): void {
  try {
    act(thread, stream);
  } catch (why) {
    lose(stream, why);
  }
}

/** Beats that nobody had the time for: what was said meanwhile is recorded in its place if it waits for nothing else. How
 *  long they took is recorded in any case, or a recording would be shorter than its call. */
export function recordMissed(thread: Thread, beats: number, lose: Lose): void {
  if (thread.recordings.size === 0) return;
  const stock = new Map<Stream, number>();
  for (const stream of thread.decoded)
    if (stream.hearing && isOnlyRecorded(thread, stream)) stock.set(stream, stream.hearing.stockFor(beats));
  for (let left = beats; left > 0; left--) {
    const isHeard = (stream: Stream) => (stock.get(stream) ?? 0) >= left;
    for (const stream of stock.keys()) if (isHeard(stream)) attempt(thread, { stream, act: listen, lose });
    for (const recorder of thread.recordings.values()) recorder.tick(isHeard);
  }
}

/** Its packets went on to its peer as they are: nobody hears it later than the recording does. */
function isOnlyRecorded(thread: Thread, { recordings, recorder, room, peer }: Stream): boolean {
  return recordings.size > 0 && !recorder && !room && !(peer && thread.paced.has(peer));
}

/** A few times a second is enough for reports and for noticing that somebody has vanished. */
export function slowTick(thread: Thread, round: number): void {
  for (const stream of thread.rounds[round % SLOW_ROUNDS] ?? []) {
    sendReportIfDue(thread, stream);
    if (stream.dtls) tickDtls(stream);
    if (stream.ice) noticeAbsence(thread, stream);
    noticeSilence(thread, stream);
  }
}

function listen(thread: Thread, stream: Stream): void {
  const { hearing } = stream;
  if (!hearing) return;
  hearing.advance();
  if (listensInBand(stream)) {
    stream.keyListener ??= new KeyListener();
    const heard = stream.keyListener.push(hearing.frameAt(8000));
    if (heard) keyHeardInBand(thread, stream, heard.key, heard.durationMs);
  }
  if (stream.faxTones) {
    stream.faxListener ??= new FaxListener();
    const tone = stream.faxListener.push(hearing.frameAt(8000));
    if (tone) thread.tell({ is: "fax-tone", stream: stream.id, tone });
  }
  if (stream.saysMuted) hearing.silence();
  const ended = stream.recorder?.tick(hearing);
  if (ended) endRecording(thread, stream, ended);
}

function press(thread: Thread, stream: Stream): void {
  const begin = () => {
    stream.wantsMarker = true;
    return nextTimestamp(stream, thread.nowMs);
  };
  const press = stream.eventSender?.tick(stream.codec.clockRate, begin);
  if (press) sendPress(thread, stream, press);
  if (!stream.eventSender || stream.eventSender.isIdle) thread.pressing.delete(stream);
}

function endLostEvents(thread: Thread, stream: Stream): void {
  if (thread.nowMs - stream.eventAtMs > LOST_END_MS) takeHeard(thread, stream, stream.events.giveUp());
}

/** Makes and sends the frame that this stream hears now. */
function speak(thread: Thread, stream: Stream): void {
  const rate = stream.rateSent;
  const frame = frames[rate];
  const isPlayed = fill(thread, stream, frame, rate);
  if (isPlayed) recordPlayed(stream, frame, rate);
  // While a key is pressed towards it, the key takes the place of sound.
  if (!stream.eventSender?.isBusy) sendFrame(thread, stream, frame, rate);
}

/** True when the frame is ours: a prompt, music, tones. */
function fill(thread: Thread, stream: Stream, frame: Int16Array, rate: PcmRate): boolean {
  if (stream.keyTones) {
    if (stream.keyTones.read(frame)) return true;
    endKeyTones(thread, stream);
  }
  if (stream.player) {
    if (stream.player.read(frame)) {
      if (stream.hearsMuted) frame.fill(0);
      return true;
    }
    endPlaying(thread, stream, { ended: "finished" });
  }
  const { hearsMuted, room, peer } = stream;
  if (room && !hearsMuted) room.mixFor(stream, frame);
  else if (peer?.hearing && !peer.saysMuted && !hearsMuted) frame.set(peer.hearing.frameAt(rate));
  else frame.fill(0);
  return false;
}

/** A recording without a second party keeps what its only one was played. */
function recordPlayed(stream: Stream, frame: Int16Array, rate: PcmRate): void {
  for (const recorder of stream.recordings) {
    if (recorder.left !== stream || recorder.right) continue;
    recorder.keepPlayed(frame, rate);
  }
}

function noticeSilence(thread: Thread, stream: Stream): void {
  const forMs = thread.nowMs - stream.heardAtMs;
  const isExpected = stream.receives && stream.settings && maySend(stream.settings.direction) && !isSought(stream);
  if (!isExpected || stream.saidSilent || thread.mediaTimeoutMs === 0 || forMs < thread.mediaTimeoutMs) return;
  stream.saidSilent = true;
  thread.tell({ is: "silent", stream: stream.id, forMs: Math.round(forMs) });
}
