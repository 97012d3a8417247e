// What the main thread asks of a media thread, and what comes back.

import type { PlayEnd, StreamEvent, StreamId, StreamSettings, StreamStatistics } from "../engine.ts";
import type { Luggage } from "./move.ts";
import type { Playable } from "./player.ts";

export type Command =
  | { do: "open"; stream: StreamId; peerHint?: string }
  | { do: "settle"; stream: StreamId; settings: StreamSettings }
  | { do: "join"; stream: StreamId; other: StreamId }
  | { do: "part"; stream: StreamId }
  | { do: "mix"; room: string; parties: { stream: StreamId; hears: StreamId[] }[] }
  | { do: "play"; stream: StreamId; sounds: Playable[]; times: number; isInterruptible: boolean }
  | { do: "stopPlaying"; stream: StreamId }
  | { do: "sendDigits"; stream: StreamId; digits: string }
  | { do: "mute"; stream: StreamId; says?: boolean; hears?: boolean }
  | { do: "listenFor"; stream: StreamId; faxTones: boolean }
  | { do: "recordCall"; recording: number; path: string; left: StreamId; right?: StreamId }
  | { do: "changeRecording"; recording: number; left?: StreamId; right?: StreamId }
  | { do: "stopCallRecording"; recording: number }
  | {
      do: "record";
      recording: number;
      stream: StreamId;
      path: string;
      maxMs: number;
      silenceMs?: number;
      stopKeys: string;
    }
  | { do: "stopRecording"; stream: StreamId }
  | { do: "statistics"; stream: StreamId }
  | { do: "close"; stream: StreamId }
  | { do: "release"; stream: StreamId }
  | { do: "adopt"; luggage: Luggage }
  | { do: "stop" };

/** What each command is answered with. */
export type Answers = {
  open: { port: number; sockets: number[] } | { refused: "no-free-port" };
  settle: undefined;
  join: undefined;
  part: undefined;
  mix: undefined;
  play: PlayEnd;
  stopPlaying: undefined;
  sendDigits: undefined;
  mute: undefined;
  listenFor: undefined;
  recordCall: undefined;
  changeRecording: undefined;
  stopCallRecording: undefined;
  record: undefined;
  stopRecording: undefined;
  statistics: StreamStatistics;
  close: undefined;
  /** Undefined when it was not there. */
  release: Luggage | undefined;
  adopt: undefined;
  stop: undefined;
};

/** Answers may be late by this much: nothing but the end of a stream's bookkeeping waits for them. */
export const canWait = (command: Command): boolean => command.do === "close";
export const PATIENCE_MS = 20;

/** All that was asked in one turn. Both sides count commands, so that an answer can name the one it belongs to. */
export type ToThread = Command[];
export type FromThread =
  | { is: "ready"; wakeFd: number }
  | { is: "answers"; numbers: number[]; values: unknown[] }
  | { is: "event"; event: StreamEvent };

/** How a thread is started. */
export type ThreadSettings = {
  role: "media";
  place: number;
  threads: number;
  address: string;
  portRange: [number, number];
  mediaTimeoutMs: number;
  /** Without libc even where it could be called: how the other platforms run is then tested here. */
  withoutLibc: boolean;
};
