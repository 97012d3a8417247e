// What a media thread holds, and how it speaks to the main thread.

import type { StreamEvent, StreamId } from "../engine.ts";
import type { AdvanceNews } from "./advance.ts";
import type { Certificate } from "./certificate.ts";
import type { DtlsLibrary } from "./dtls.ts";
import type { Keeper } from "./keeper.ts";
import type { Ports } from "./ports.ts";
import type { CallRecorder, ToDiskPort } from "./recorder.ts";
import type { Room } from "./room.ts";
import type { Stock } from "./stock.ts";
import type { Stream } from "./stream.ts";
import type { Wire } from "./wire.ts";

export type Thread = {
  /** Its place among the threads. */
  readonly place: number;
  readonly wire: Wire;
  /** One for each address of ours that streams are bound to. */
  readonly pools: readonly { ports: Ports; stock: Stock }[];
  /** The last pool is for browsers, and has a socket of either family in each pair. */
  readonly browsersInBoth: boolean;
  disk: ToDiskPort;
  readonly mediaTimeoutMs: number;
  /** For DTLS, where there is any. */
  readonly certificate: Certificate | undefined;
  dtls: DtlsLibrary | undefined;
  readonly streams: Map<StreamId, Stream>;
  /** By socket, for the hot path. */
  readonly rtpSockets: (Stream | undefined)[];
  readonly rtcpSockets: (Stream | undefined)[];
  readonly rooms: Map<string, Room<Stream>>;
  readonly recordings: Map<number, CallRecorder<Stream>>;
  /** The streams in as many parts as there are turns in a round of slow ticks, so that no turn takes long. */
  readonly rounds: Set<Stream>[];
  // Those with something to do at every tick.
  readonly decoded: Set<Stream>;
  readonly paced: Set<Stream>;
  readonly pressing: Set<Stream>;
  readonly openEvents: Set<Stream>;
  /** Time of the turn, in milliseconds since the thread began. */
  nowMs: number;
  /** What the machine's time was when the thread began. */
  readonly zeroMs: number;
  /** Where streams are to outlive the process. */
  readonly keeper: Keeper | undefined;
  tell(event: StreamEvent): void;
  tellAdvance(news: AdvanceNews): void;
  random(): number;
};

export const SLOW_ROUNDS = 10;

export function roundOf(thread: Thread, stream: Stream): Set<Stream> {
  return thread.rounds[(stream.port >> 1) % SLOW_ROUNDS]!; // as many as SLOW_ROUNDS
}

export function portsOf(thread: Thread, { at }: { at: number }): Ports {
  return thread.pools[at]!.ports; // a stream is only ever opened at a place that exists
}

/** Packets that we make ourselves are made here, one at a time. */
export const outgoing = Buffer.alloc(2048);
