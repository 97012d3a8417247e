// The default media engine: threads of this process. This is its face on the main thread, which never touches a packet.

import { randomUUID } from "node:crypto";
import type { Fingerprint } from "../../sdp/dtls.ts";
import type {
  CallRecording,
  CallToRecord,
  MediaEngine,
  OpenedBefore,
  OpenOptions,
  PlayEnd,
  PlayRequest,
  RecordEnd,
  RecordingFault,
  RecordRequest,
  StreamEvent,
  StreamId,
  StreamSettings,
  StreamStatistics,
} from "../engine.ts";
import { fingerprintOf } from "./certificate.ts";
import { type Command, placesOf } from "./commands.ts";
import { hasDtls } from "./dtls.ts";
import { Handover } from "./handover.ts";
import { LONGEST_AWAY_MS } from "./kept-stream.ts";
import { atRelay, type MediaReach, placeFor } from "./media-reach.ts";
import { recordedBefore } from "./recorded-before.ts";
import { Recordings } from "./recordings.ts";
import { openSoundShelf } from "./sounds.ts";
import { GONE } from "./thread-link.ts";
import { Threads, type ThreadsOptions } from "./threads.ts";

export type EmbeddedOptions = ThreadsOptions & {
  /** What peers see, when that is not the address bound to. */
  reach?: MediaReach;
  /** Here is kept what the next process needs to go on with the streams; without it they end with this one. */
  ledgerFolder?: string;
  /** What an earlier process had opened beside what is in there: its ports are kept for whoever goes on with it. */
  opened?: readonly OpenedBefore[];
  /** A recording could not be written as it should; said once for each. */
  onFault?(fault: RecordingFault): void;
};

export type EmbeddedEngine = MediaEngine & {
  /** For drills: the thread that carries this stream dies at once. */
  killThreadOf(stream: StreamId): Promise<void>;
  /** For drills: so does the one that writes recordings. */
  killDiskThread(): Promise<void>;
};

export async function openEmbeddedEngine(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const engine = new Embedded(options);
  try {
    await engine.ready();
    engine.forgetInTime();
  } catch (why) {
    await engine.stop();
    throw why;
  }
  return engine;
}

class Embedded implements EmbeddedEngine {
  readonly fingerprint: Fingerprint | undefined;
  readonly #addresses: readonly string[];
  readonly #reach: MediaReach | undefined;
  readonly #handover: Handover;
  #forgetting: NodeJS.Timeout | undefined;
  readonly #recordings: Recordings;
  readonly #threads: Threads;
  readonly #shelf = openSoundShelf();
  readonly #listeners: ((event: StreamEvent) => void)[] = [];
  /** Counts plays and stops, so that a play whose file was still being read knows that it is no longer wanted. */
  readonly #plays = new Map<StreamId, number>();

  constructor(options: EmbeddedOptions) {
    this.#addresses = [options.address, ...(options.alsoAt ?? [])];
    this.#reach = options.reach;
    const { workerPath, log, onFault, ledgerFolder: folder, opened, reach } = options;
    const places = placesOf({ addresses: this.#addresses, browsers: options.browsers });
    this.#handover = new Handover({ folder, addresses: this.#addresses, places, reach, opened, log });
    this.#recordings = new Recordings({ workerPath, log, onFault, onAnother: () => this.#threads.reconnect() });
    const certificate = hasDtls() ? this.#handover.certificate() : undefined;
    this.fingerprint = certificate && fingerprintOf(certificate);
    this.#threads = new Threads(
      { ...options, certificate },
      {
        recordings: this.#recordings,
        ledger: this.#handover.ledger,
        left: this.#handover.left.streams,
        opened: this.#handover.opened,
        tell: (event) => {
          for (const listen of this.#listeners) listen(event);
        },
      },
    );
  }

  ready(): Promise<void> {
    return this.#threads.ready();
  }

  leftBehind(): StreamId[] {
    return this.#threads.leftBehind();
  }

  async resume(stream: StreamId) {
    const place = this.#handover.placeOf(stream);
    if (place && (await this.#threads.resume(stream))) return place;
    this.#handover.refuse(stream, place ? "its port is not free, or it is too late" : "nothing is known of it");
    return undefined;
  }

  async forgetLeftBehind() {
    clearTimeout(this.#forgetting);
    await this.#threads.letGo();
    await this.#handover.forget();
  }

  /** Nobody asked for them: their ports and keys are not kept for ever. */
  forgetInTime() {
    if (this.leftBehind().length > 0)
      this.#forgetting = setTimeout(() => void this.forgetLeftBehind(), LONGEST_AWAY_MS);
    this.#forgetting?.unref();
  }

  async open({ peerHint, towards = peerHint, near, forBrowser = false }: OpenOptions = {}) {
    const stream = randomUUID();
    // The browsers' place comes after all others.
    const at = forBrowser ? this.#addresses.length : placeFor(towards, this.#addresses, this.#reach);
    const bound = this.#addresses[at] ?? ""; // browsers are told where they can reach us by somebody else
    const told = (towards !== undefined && this.#reach?.toldTo(towards, bound)) || bound;
    const port = await this.#threads.open(stream, { at, told, ...(peerHint !== undefined && { peerHint }) }, near);
    return { stream, address: told, port };
  }

  settle(stream: StreamId, asked: StreamSettings) {
    return this.#quietly({ do: "settle", stream, settings: atRelay(asked, this.#reach) });
  }

  async join(stream: StreamId, other: StreamId) {
    const line = await this.#threads.bringTogether(this.#recordings.first([stream, other]));
    await line?.ask({ do: "join", stream, other });
  }

  part(stream: StreamId) {
    return this.#quietly({ do: "part", stream });
  }

  async mix(room: string, parties: { stream: StreamId; hears: StreamId[] }[]) {
    const streams = this.#recordings.first(parties.map((party) => party.stream));
    const line = parties.length > 0 ? await this.#threads.bringTogether(streams) : this.#threads.lineOfRoom(room);
    if (line) this.#threads.noteRoom(room, line, parties.length > 0);
    await line?.ask({ do: "mix", room, parties });
  }

  async play(stream: StreamId, { sounds, repeat = 1, interruptible = false }: PlayRequest): Promise<PlayEnd> {
    const number = this.#nextPlay(stream);
    const ready = await Promise.all(sounds.map((sound) => this.#shelf.prepare(sound)));
    const line = await this.#threads.reach(stream);
    if (!line) return { ended: "stream-closed" };
    if (this.#plays.get(stream) !== number) return { ended: "stopped" };
    const playable = ready.filter((sound) => sound !== undefined);
    if (playable.length < ready.length) return { ended: "unreadable" };
    const times = repeat === "forever" ? Number.POSITIVE_INFINITY : repeat;
    const end = await line.ask({ do: "play", stream, sounds: playable, times, isInterruptible: interruptible });
    return end === GONE ? { ended: "stream-closed" } : end;
  }

  async stopPlaying(stream: StreamId) {
    // Most calls are joined without ever having been played anything.
    if (!this.#plays.has(stream)) return;
    this.#nextPlay(stream);
    await this.#quietly({ do: "stopPlaying", stream });
  }

  sendDigits(stream: StreamId, digits: string) {
    return this.#quietly({ do: "sendDigits", stream, digits: digits.slice(0, MOST_DIGITS) });
  }

  pressed(stream: StreamId, digit: string) {
    return this.#quietly({ do: "pressed", stream, digit });
  }

  mute(stream: StreamId, what: { says?: boolean; hears?: boolean }) {
    return this.#quietly({ do: "mute", stream, ...what });
  }

  listenFor(stream: StreamId, what: { faxTones: boolean }) {
    return this.#quietly({ do: "listenFor", stream, ...what });
  }

  async recordCall({ left, right, path, goesOn }: CallToRecord): Promise<CallRecording> {
    const before = goesOn ? await recordedBefore(path, this.#handover.left.recordings.get(path)) : undefined;
    const sides = [left, right].filter((side) => side !== undefined && this.#threads.lineOf(side)) as StreamId[];
    const line = await this.#threads.bringTogether(sides);
    if (!line) return alreadyOver;
    const recordings = this.#recordings;
    const { recording, ended: recorded } = recordings.begin(sides, { path, place: line.place });
    const ended = recorded.then(({ durationMs, fault }) => ({ durationMs, ...(fault && { fault }) }));
    const more = { ...(right === undefined ? {} : { right }), ...(before && { before }) };
    const asked = line.ask({ do: "recordCall", recording, path, left, ...more });
    if ((await asked) === GONE) recordings.abandonOne(recording);
    return {
      ended,
      change: async (sides) => {
        const all = [...recordings.sidesOf(recording), ...Object.values(sides)];
        await this.#threads.bringTogether(all);
        recordings.note(recording, all);
        await line.ask({ do: "changeRecording", recording, ...sides });
      },
      stop() {
        recordings.awaitEnd(recording);
        void line.ask({ do: "stopCallRecording", recording });
        return ended;
      },
    };
  }

  async record(stream: StreamId, { path, maxMs, silenceMs, stopKeys = "" }: RecordRequest): Promise<RecordEnd> {
    const line = await this.#threads.reach(stream);
    if (!line) return { durationMs: 0, ended: "stream-closed" };
    const { recording, ended } = this.#recordings.begin([stream], { path, place: line.place });
    const silence = silenceMs === undefined ? {} : { silenceMs };
    const asked = line.ask({ do: "record", recording, stream, path, maxMs, stopKeys, ...silence });
    if ((await asked) === GONE) this.#recordings.abandonOne(recording);
    const { durationMs, ended: why, key, fault } = await ended;
    // The disk thread hands back the very word the media thread gave it.
    const end = { durationMs, ended: why as RecordEnd["ended"] };
    return { ...end, ...(key === undefined ? {} : { key }), ...(fault && { fault }) };
  }

  stopRecording(stream: StreamId) {
    return this.#quietly({ do: "stopRecording", stream });
  }

  async statistics(stream: StreamId): Promise<StreamStatistics> {
    const found = await (await this.#threads.reach(stream))?.ask({ do: "statistics", stream });
    return found === undefined || found === GONE ? NOTHING_COUNTED : found;
  }

  async close(stream: StreamId) {
    this.#plays.delete(stream);
    await this.#quietly({ do: "close", stream });
    this.#threads.forget(stream);
  }

  pulse() {
    return this.#threads.pulse();
  }

  onEvent(listen: (event: StreamEvent) => void) {
    this.#listeners.push(listen);
  }

  async stop({ handOver = false } = {}) {
    clearTimeout(this.#forgetting);
    await this.#threads.stop({ handOver });
    await this.#handover.close({ handOver });
    await this.#recordings.stop();
  }

  async killThreadOf(stream: StreamId) {
    await this.#threads.lineOf(stream)?.kill();
  }

  async killDiskThread() {
    await this.#recordings.kill();
  }

  /** A stream that is gone, or a thread that dies meanwhile: nothing is left to do. */
  async #quietly(command: Command & { stream: StreamId }): Promise<void> {
    await (await this.#threads.reach(command.stream))?.ask(command);
  }

  #nextPlay(stream: StreamId): number {
    const number = (this.#plays.get(stream) ?? 0) + 1;
    if (this.#threads.lineOf(stream)) this.#plays.set(stream, number);
    return number;
  }
}

const MOST_DIGITS = 64;

const NOTHING_COUNTED: StreamStatistics = {
  packetsIn: 0,
  packetsOut: 0,
  lost: 0,
  jitterMs: 0,
  refused: 0,
  concealed: 0,
};

const alreadyOver: CallRecording = {
  ended: Promise.resolve({ durationMs: 0 }),
  change: async () => {},
  stop: async () => ({ durationMs: 0 }),
};
