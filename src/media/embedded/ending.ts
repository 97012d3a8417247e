// How playing and recording end, for whichever reason.

import type { PlayEnd, RecordEnd } from "../engine.ts";
import { replan } from "./plan.ts";
import type { CallRecorder } from "./recorder.ts";
import type { Stream } from "./stream.ts";
import type { Thread } from "./thread.ts";

export function endPlaying(thread: Thread, stream: Stream, end: PlayEnd): void {
  const { player } = stream;
  if (!player) return;
  stream.player = undefined;
  replan(thread, stream);
  player.end(end);
}

export function endKeyTones(thread: Thread, stream: Stream): void {
  const { keyTones } = stream;
  if (!keyTones) return;
  stream.keyTones = undefined;
  replan(thread, stream);
  keyTones.end({ ended: "finished" });
}

export function endRecording(thread: Thread, stream: Stream, ended: RecordEnd["ended"], key?: string): void {
  const { recorder } = stream;
  if (!recorder) return;
  stream.recorder = undefined;
  recorder.end(ended, key);
  replan(thread, stream);
}

export function endCallRecording(thread: Thread, recorder: CallRecorder<Stream>): void {
  thread.recordings.delete(recorder.recording);
  for (const side of [recorder.left, recorder.right]) {
    if (!side) continue;
    side.recordings.delete(recorder);
    replan(thread, side);
  }
  recorder.end();
}

/** A party left: its channel is silent from now on, and with the last one the recording ends. */
export function leaveCallRecordings(thread: Thread, stream: Stream): void {
  for (const recorder of stream.recordings) {
    if (recorder.left === stream) recorder.left = undefined;
    if (recorder.right === stream) recorder.right = undefined;
    if (!recorder.left && !recorder.right) endCallRecording(thread, recorder);
  }
  stream.recordings.clear();
}
