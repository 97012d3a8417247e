// What a media thread holds, and how it speaks to the main thread.

import type { StreamEvent, StreamId } from "../engine.ts";
import type { CallRecorder, ToDiskPort } from "./recorder.ts";
import type { Room } from "./room.ts";
import type { Stream } from "./stream.ts";
import type { Wire } from "./wire.ts";

export type Thread = {
  /** Its place among the threads. */
  readonly place: number;
  readonly wire: Wire;
  readonly disk: ToDiskPort;
  readonly mediaTimeoutMs: number;
  readonly localIp: number;
  readonly streams: Map<StreamId, Stream>;
  /** By socket, for the hot path. */
  readonly rtpSockets: (Stream | undefined)[];
  readonly rtcpSockets: (Stream | undefined)[];
  readonly rooms: Map<string, Room>;
  readonly recordings: Map<number, CallRecorder>;
  // Those with something to do at every tick.
  readonly decoded: Set<Stream>;
  readonly paced: Set<Stream>;
  readonly pressing: Set<Stream>;
  readonly openEvents: Set<Stream>;
  /** Time of the turn, in milliseconds since the thread began. */
  nowMs: number;
  tell(event: StreamEvent): void;
  random(): number;
};

/** Packets that we make ourselves are made here, one at a time. */
export const outgoing = Buffer.alloc(2048);
