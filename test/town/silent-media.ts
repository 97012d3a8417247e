// A media engine without sound: it knows exactly who hears whom and what is played. For stories on a wound clock.

import type { MediaEngine, PlayRequest, StreamEvent, StreamId, StreamSettings } from "../../src/media/engine.ts";

type Silent = {
  port: number;
  /** The peer's own RTP port, as its SDP named it. */
  remote: number | undefined;
  joined: StreamId | undefined;
  /** In a room: those it hears there. */
  hears: StreamId[] | undefined;
  playing: { request: PlayRequest; end(why: "stopped" | "stream-closed" | "finished"): void } | undefined;
  muted: boolean;
  keys: string;
  /** Which keys end the recording of it that runs. */
  stopKeys: string;
  settings: StreamSettings | undefined;
  packetsIn: number;
};

/** What outlives an engine, as the real one's ledger on disk does: given to the engine that is opened after it. */
export type SilentLedger = {
  streams: Map<StreamId, Pick<Silent, "port" | "remote" | "settings" | "muted">>;
  nextPort: number;
};

export const silentLedger = (firstPort = 10_000): SilentLedger => ({ streams: new Map(), nextPort: firstPort });

export type SilentMedia = MediaEngine & {
  /** The RTP ports of those whom the phone at this RTP port hears now; or what is played to it. */
  hears(port: number): string[];
  recordings: { path: string; sides: string[]; stopped: boolean }[];
  /** What is played to the phone at this RTP port has been heard to its end. */
  finish(port: number): void;
  /** Who is being recorded alone, and how that ends. */
  recorded(port: number): ((durationMs: number, ended?: "unwritable") => void) | undefined;
  /** What the phone at this RTP port says is neither heard nor recorded. */
  isMuted(port: number): boolean;
  /** The keys that the phone at this RTP port was sent. */
  keysSent(port: number): string;
  say(event: StreamEvent): void;
  /** No packet comes from the phone at this RTP port any more. */
  hush(port: number): void;
  /** What was last agreed on with the phone at this RTP port. */
  agreedWith(port: number): StreamSettings | undefined;
  streamsOpen(): number;
  /** The process dies: whatever its objects still do, what it left behind stays as it is. */
  crash(): void;
};

export function silentMedia({
  address = "10.0.0.1",
  firstPort = 10_000,
  ledger: given = silentLedger(firstPort),
} = {}): SilentMedia {
  let ledger = given;
  const left = new Map(ledger.streams);
  const streams = new Map<StreamId, Silent>();
  const recordings: SilentMedia["recordings"] = [];
  const rooms = new Map<string, StreamId[]>();
  const recorders = new Map<
    StreamId,
    (durationMs: number, ended?: "silence" | "stream-closed" | "key" | "unwritable") => void
  >();
  const hushed = new Set<number>();
  let listen: (event: StreamEvent) => void = () => undefined;
  const stop = (id: StreamId, why: "stopped" | "stream-closed") => {
    streams.get(id)?.playing?.end(why);
  };
  const part = (id: StreamId) => {
    const stream = streams.get(id);
    const other = stream?.joined === undefined ? undefined : streams.get(stream.joined);
    if (stream) Object.assign(stream, { joined: undefined, hears: undefined });
    if (other) other.joined = undefined;
  };
  const portOf = (id: StreamId) => String(streams.get(id)?.remote);
  const keep = (id: StreamId) => {
    const stream = streams.get(id);
    if (!stream) return;
    const { port, remote, settings, muted } = stream;
    ledger.streams.set(id, { port, remote, settings, muted });
  };
  return {
    recordings,
    crash: () => {
      ledger = { streams: new Map(), nextPort: ledger.nextPort };
    },
    leftBehind: () => [...left].filter(([, { settings }]) => settings).map(([id]) => id),
    async resume(id) {
      const found = left.get(id);
      left.delete(id);
      if (!found) return undefined;
      streams.set(id, { ...newSilent(found.port), ...found });
      return { address, port: found.port };
    },
    async forgetLeftBehind() {
      for (const id of left.keys()) ledger.streams.delete(id);
      left.clear();
    },
    pulse: async () => undefined,
    keysSent: (port) => [...streams.values()].find((it) => it.remote === port)?.keys ?? "",
    isMuted: (port) => [...streams.values()].some((it) => it.remote === port && it.muted),
    say: (event) => listen(event),
    hush: (port) => void hushed.add(port),
    agreedWith: (port) => [...streams.values()].find((it) => it.remote === port)?.settings,
    streamsOpen: () => streams.size,
    recorded: (port) => {
      const found = [...streams].find(([, it]) => it.remote === port);
      return found && recorders.get(found[0]);
    },
    finish: (port) => [...streams.values()].find((it) => it.remote === port)?.playing?.end("finished"),
    hears(port) {
      const stream = [...streams.values()].find((it) => it.remote === port);
      if (!stream) return [];
      if (stream.playing) return stream.playing.request.sounds.map((sound) => JSON.stringify(sound));
      const others = stream.hears ?? (stream.joined === undefined ? [] : [stream.joined]);
      return others.flatMap((id) => {
        const other = streams.get(id);
        return other && !other.muted ? [String(other.remote)] : [];
      });
    },
    async open() {
      const port = ledger.nextPort;
      ledger.nextPort += 2;
      const stream = `silent-${port}`;
      streams.set(stream, newSilent(port));
      keep(stream);
      return { stream, address, port };
    },
    async settle(id, settings) {
      const stream = streams.get(id);
      if (stream) Object.assign(stream, { remote: settings.remote.port, settings });
      keep(id);
    },
    async join(a, b) {
      part(a);
      part(b);
      const [one, other] = [streams.get(a), streams.get(b)];
      if (!one || !other) return;
      one.joined = b;
      other.joined = a;
    },
    part: async (id) => part(id),
    async mix(room, parties) {
      for (const id of rooms.get(room) ?? []) part(id);
      rooms.set(
        room,
        parties.map(({ stream }) => stream),
      );
      for (const { stream, hears } of parties) {
        part(stream);
        const member = streams.get(stream);
        if (member) member.hears = hears;
      }
    },
    play(id, request) {
      stop(id, "stopped");
      const stream = streams.get(id);
      if (!stream) return Promise.resolve({ ended: "stream-closed" as const });
      return new Promise((resolve) => {
        const end = (why: "stopped" | "stream-closed" | "finished") => {
          stream.playing = undefined;
          resolve({ ended: why });
        };
        stream.playing = { request, end };
      });
    },
    stopPlaying: async (id) => stop(id, "stopped"),
    async sendDigits(id, digits) {
      const stream = streams.get(id);
      if (stream) stream.keys += digits;
    },
    async pressed(id, digit) {
      const stream = streams.get(id);
      if (stream?.playing?.request.interruptible) stream.playing.end("stopped");
      if (stream?.stopKeys.includes(digit)) recorders.get(id)?.(1_000, "key");
    },
    async mute(id, { says }) {
      const stream = streams.get(id);
      if (stream && says !== undefined) stream.muted = says;
      keep(id);
    },
    listenFor: async () => undefined,
    async recordCall({ left, right, path }) {
      const recording = { path, sides: [portOf(left), portOf(right ?? "")], stopped: false };
      recordings.push(recording);
      const ended = { durationMs: 1_000 };
      return {
        change: async (sides) => {
          recording.sides = [portOf(sides.left ?? ""), portOf(sides.right ?? "")];
        },
        stop: async () => {
          recording.stopped = true;
          return ended;
        },
        ended: Promise.resolve(ended),
      };
    },
    record(id, { path, stopKeys = "" }) {
      const stream = streams.get(id);
      if (stream) stream.stopKeys = stopKeys;
      return new Promise((resolve) => {
        recorders.set(id, (durationMs, ended = "silence") => {
          recorders.delete(id);
          const fault = { path, step: "write", code: "ENOSPC" } as const;
          resolve({ durationMs, ended, ...(ended === "unwritable" && { fault }) });
        });
      });
    },
    stopRecording: async () => undefined,
    async statistics(id) {
      const stream = streams.get(id);
      if (stream && !hushed.has(stream.remote ?? 0)) stream.packetsIn += 1;
      return { packetsIn: stream?.packetsIn ?? 0, packetsOut: 0, lost: 0, jitterMs: 0, refused: 0, concealed: 0 };
    },
    async close(id) {
      part(id);
      stop(id, "stream-closed");
      recorders.get(id)?.(4_000, "stream-closed");
      streams.delete(id);
      ledger.streams.delete(id);
    },
    onEvent: (hear) => {
      listen = hear;
    },
    async stop({ handOver = false } = {}) {
      if (!handOver) for (const id of streams.keys()) ledger.streams.delete(id);
      streams.clear();
    },
  };
}

function newSilent(port: number): Silent {
  return {
    port,
    remote: undefined,
    joined: undefined,
    hears: undefined,
    playing: undefined,
    muted: false,
    keys: "",
    stopKeys: "",
    settings: undefined,
    packetsIn: 0,
  };
}
