// How a stream enters a thread, leaves its company, and goes.

import { endDtls } from "./dtls-stream.ts";
import { endKeyTones, endPlaying, endRecording, leaveCallRecordings } from "./ending.ts";
import { endHearing, replan } from "./plan.ts";
import type { Room } from "./room.ts";
import { sendGoodbye } from "./rtcp.ts";
import type { Stream } from "./stream.ts";
import { portsOf, roundOf, type Thread } from "./thread.ts";

export function enter(thread: Thread, stream: Stream): void {
  thread.streams.set(stream.id, stream);
  roundOf(thread, stream).add(stream);
  thread.rtpSockets[stream.rtp] = stream;
  thread.rtcpSockets[stream.rtcp] = stream;
}

/** Out of its join or room. */
export function leave(thread: Thread, stream: Stream): void {
  const { peer, room } = stream;
  stream.peer = undefined;
  stream.room = undefined;
  if (peer) {
    peer.peer = undefined;
    peer.relayFrom = undefined;
    replan(thread, peer);
  }
  if (room) leaveRoom(thread, stream, room);
  stream.relayFrom = undefined;
  replan(thread, stream);
}

function leaveRoom(thread: Thread, stream: Stream, room: Room<Stream>): void {
  room.hears.delete(stream);
  for (const [listener, heard] of room.hears)
    room.hears.set(
      listener,
      heard.filter((speaker) => speaker !== stream),
    );
  if (room.hears.size === 0) thread.rooms.delete(room.name);
}

/**
 * A stream that moves to another thread keeps its sockets, and its other side hears no goodbye; nor does it from one that
 * is left to the next process.
 */
export function closeStream(thread: Thread, stream: Stream, how: "ends" | "moves" | "is left" = "ends"): void {
  const moves = how === "moves";
  endPlaying(thread, stream, { ended: moves ? "stopped" : "stream-closed" });
  endKeyTones(thread, stream);
  endRecording(thread, stream, moves ? "stopped" : "stream-closed");
  leaveCallRecordings(thread, stream);
  stream.eventSender?.finish();
  leave(thread, stream);
  if (how === "ends") sendGoodbye(thread, stream);
  for (const group of [thread.paced, thread.pressing, thread.openEvents]) group.delete(stream);
  thread.streams.delete(stream.id);
  roundOf(thread, stream).delete(stream);
  thread.rtpSockets[stream.rtp] = undefined;
  thread.rtcpSockets[stream.rtcp] = undefined;
  if (moves) {
    portsOf(thread, stream).release(stream);
    thread.wire.release(stream.rtp);
    thread.wire.release(stream.rtcp);
  } else if (how === "is left") portsOf(thread, stream).close(stream);
  else portsOf(thread, stream).giveBack(stream, thread.nowMs);
  thread.keeper?.drop(stream);
  endDtls(stream);
  stream.srtp?.close();
  stream.srtcp?.close();
  stream.encode?.close?.();
  endHearing(thread, stream);
}
