// A key was pressed: whoever plays, records or listens is told, and the other party gets it in the form it knows.

import type { Heard } from "../../codecs/telephone-event.ts";
import { keyTone } from "../tone.ts";
import { endPlaying, endRecording } from "./ending.ts";
import { EventSender } from "./event-sender.ts";
import { replan } from "./plan.ts";
import { type Playable, Player } from "./player.ts";
import type { Stream } from "./stream.ts";
import type { Thread } from "./thread.ts";

const PRESS_MS = 120;
const PAUSE_MS = 80;
const LEAK_MS = 400;

export function takeHeard(thread: Thread, stream: Stream, heard: Heard): void {
  if (heard.is === "ended" || heard.is === "ended-and-began") keyEnded(thread, stream, heard.key, heard.durationUnits);
  if (heard.is === "began") keyBegan(thread, stream, heard.key);
  if (heard.is === "ended-and-began") keyBegan(thread, stream, heard.nextKey);
  if (stream.events.open) thread.openEvents.add(stream);
  else thread.openEvents.delete(stream);
}

/** Heard as sound: it is told when it is over, and reached the other party as sound already. */
export function keyHeardInBand(thread: Thread, stream: Stream, key: string, durationMs: number): void {
  // What leaks into the sound of a key that was told as an event is no second one.
  if (thread.nowMs - stream.eventAtMs < LEAK_MS) return;
  actOn(thread, stream, key);
  thread.tell({ is: "digit", stream: stream.id, digit: key, durationMs });
}

/** It came beside the voice: who plays or records here is told; whoever shall hear of it is told by others. */
export function keyCameBeside(thread: Thread, stream: Stream, key: string): void {
  actOn(thread, stream, key);
}

/** Resolves what `sendDigits` waits for. */
export function typeKeys(thread: Thread, stream: Stream, keys: string, done: () => void): void {
  if (stream.eventOut >= 0) {
    senderOf(thread, stream).type(keys, done);
    return;
  }
  typeAsTones(thread, stream, keys, done);
}

function keyBegan(thread: Thread, stream: Stream, key: string): void {
  actOn(thread, stream, key);
  const listener = listenerNeedingKeys(stream);
  if (!listener) return;
  if (listener.eventOut >= 0) senderOf(thread, listener).hold(key);
  else typeAsTones(thread, listener, key, () => {});
}

function keyEnded(thread: Thread, stream: Stream, key: string, durationUnits: number): void {
  const listener = listenerNeedingKeys(stream);
  if (listener && listener.eventOut >= 0) listener.eventSender?.release();
  const durationMs = Math.round((durationUnits * 1000) / stream.codec.clockRate);
  thread.tell({ is: "digit", stream: stream.id, digit: key, durationMs });
}

function actOn(thread: Thread, stream: Stream, key: string): void {
  if (stream.player?.isInterruptible) endPlaying(thread, stream, { ended: "digit", digit: key });
  if (stream.recorder?.stopKeys.includes(key)) endRecording(thread, stream, "key", key);
}

/** The other party, when the packets themselves are not passed on to it. */
function listenerNeedingKeys(stream: Stream): Stream | undefined {
  const listener = stream.peer;
  if (!listener || stream.saysMuted || listener.hearsMuted || listener.player || listener.keysAside) return undefined;
  const passedOn = stream.relayTo === listener && listener.eventOut >= 0;
  return passedOn ? undefined : listener;
}

function senderOf(thread: Thread, stream: Stream): EventSender {
  stream.eventSender ??= new EventSender();
  thread.pressing.add(stream);
  return stream.eventSender;
}

function typeAsTones(thread: Thread, stream: Stream, keys: string, done: () => void): void {
  const rate = stream.codec.pcmRate;
  const sounds = [...keys].flatMap((key): Playable[] => {
    const samples = keyTone(key, PRESS_MS, rate);
    return samples
      ? [
          { is: "pcm", rate, samples },
          { is: "silence", ms: PAUSE_MS },
        ]
      : [];
  });
  // One key after the other, however quickly they came: one that cuts the last short would make two of the same one.
  if (stream.keyTones) return stream.keyTones.append(sounds, done);
  stream.keyTones = new Player({ sounds, times: 1, isInterruptible: false, rate, tellEnd: done });
  replan(thread, stream);
}
