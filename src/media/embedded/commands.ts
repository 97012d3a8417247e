// What the main thread asks of a media thread, and what comes back.

import type { MessagePort } from "node:worker_threads";
import type { PcmRate } from "../../codecs/shape.ts";
import type { PlayEnd, StreamEvent, StreamId, StreamSettings, StreamStatistics } from "../engine.ts";
import type { AdvanceNews } from "./advance.ts";
import type { Certificate } from "./certificate.ts";
import type { KeptStream } from "./kept-stream.ts";
import type { KeptNews } from "./ledger.ts";
import type { Luggage } from "./move.ts";
import type { Playable } from "./player.ts";

export type Command =
  | { do: "findPorts"; at: number }
  | { do: "open"; stream: StreamId; at: number; port: number; told: string; peerHint?: string }
  | { do: "settle"; stream: StreamId; settings: StreamSettings }
  /** It may speak for a while to where nothing has come from. */
  | { do: "advance"; stream: StreamId }
  | { do: "join"; stream: StreamId; other: StreamId }
  | { do: "part"; stream: StreamId }
  | { do: "mix"; room: string; parties: { stream: StreamId; hears: StreamId[] }[] }
  | { do: "play"; stream: StreamId; sounds: Playable[]; times: number; isInterruptible: boolean }
  | { do: "stopPlaying"; stream: StreamId }
  | { do: "sendDigits"; stream: StreamId; digits: string }
  | { do: "pressed"; stream: StreamId; digit: string }
  | { do: "mute"; stream: StreamId; says?: boolean; hears?: boolean }
  | { do: "listenFor"; stream: StreamId; faxTones: boolean }
  | { do: "recordCall"; recording: number; path: string; left: StreamId; right?: StreamId; before?: RecordedBefore }
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
  /** There is another disk thread: recordings that begin from now on go there. */
  | { do: "writeTo"; port: MessagePort }
  /** Of an earlier process: its port is held in this thread. */
  | { do: "resume"; kept: KeptStream; at: number }
  /** The same of one that nobody has spoken in yet. */
  | { do: "reopen"; stream: StreamId; at: number; port: number; address: string; peerHint: string }
  /** Of all that is held. */
  | { do: "letGo" }
  | { do: "stop"; handOver: boolean };

/** What of a recording is there already, and when it began, in the machine's time. */
export type RecordedBefore = { rate: PcmRate; begunMs: number };

/** What each command is answered with. */
export type Answers = {
  /** None when every one is taken. */
  findPorts: number[];
  open: undefined;
  settle: undefined;
  advance: undefined;
  join: undefined;
  part: undefined;
  mix: undefined;
  play: PlayEnd;
  stopPlaying: undefined;
  sendDigits: undefined;
  pressed: undefined;
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
  writeTo: undefined;
  /** Whether it goes on. */
  resume: boolean;
  reopen: boolean;
  letGo: undefined;
  stop: undefined;
};

/** Goes with the next command, or later by this much alone: more is said of a stream before anybody hears of it. */
export const canWait = (command: Command): boolean => command.do === "open";
export const PATIENCE_MS = 20;

/**
 * Answers that go with others: nobody waits for them. The end itself is swift, though: a phone may have a new call on the
 * same port a moment later, and what still came for the old one would be taken for its beginning.
 */
export const isAnswerUrgent = (command: Command): boolean => command.do !== "close" && command.do !== "open";

/** All that was asked in one turn. Both sides count commands, so that an answer can name the one it belongs to. */
export type ToThread = Command[];
export type FromThread =
  /** `held`: the streams left behind whose ports it holds. */
  | { is: "ready"; wakeFd: number; leaves: readonly number[]; held: StreamId[] }
  | { is: "kept"; news: KeptNews }
  | { is: "advance"; news: AdvanceNews }
  | { is: "answers"; numbers: number[]; values: unknown[] }
  /** They stand ready for streams that the main thread opens at one of our addresses. */
  | { is: "ports"; at: number; ports: number[] }
  | { is: "event"; event: StreamEvent };

/** Where streams are bound to that browsers find by themselves: at most one address of a family. */
export type BrowserPlace = { first: string; second?: string; portRange: [number, number] };

/** By which names the places of streams are kept, in the order that `at` counts them. */
export function placesOf({ addresses, browsers }: Pick<ThreadSettings, "addresses" | "browsers">): string[] {
  return browsers ? [...addresses, ["browsers", browsers.first, browsers.second ?? ""].join(" ")] : [...addresses];
}

/** How a thread is started. */
export type ThreadSettings = {
  role: "media";
  place: number;
  threads: number;
  /** Those that streams may be bound to. */
  addresses: readonly string[];
  portRange: [number, number];
  /** Where there is DTLS, and browsers are to be spoken with. */
  browsers?: BrowserPlace | undefined;
  mediaTimeoutMs: number;
  certificate: Certificate | undefined;
  /** Its streams are to outlive the process. */
  keeps: boolean;
  /** Left behind by an earlier process: held here for whoever goes on with them. */
  holds: readonly { stream: StreamId; at: number; port: number }[];
  /** The ports of all of them, in whichever thread. */
  leftBehind: readonly number[];
  /** By port, every socket that the thread has open, 0 for none; shared, to be read once the thread is dead. */
  sockets: Int32Array;
  /** Without libc even where it could be called: how the other platforms run is then tested here. */
  withoutLibc: boolean;
};
