// The media threads: who carries which stream, and what happens when one of them dies.

import { availableParallelism } from "node:os";
import { type Libc, loadLibc } from "../../libc.ts";
import type { StreamEvent, StreamId } from "../engine.ts";
import { Advances } from "./advance.ts";
import type { Certificate } from "./certificate.ts";
import type { BrowserPlace } from "./commands.ts";
import type { Handover } from "./handover.ts";
import type { Ledger } from "./ledger.ts";
import type { LeftBehind } from "./left-behind.ts";
import type { Recordings } from "./recordings.ts";
import { GONE, ThreadLink } from "./thread-link.ts";

export type ThreadsOptions = {
  /** Media threads; one a core but one when not said. */
  workers?: number;
  /** First and last port of the range; 0 lets the system choose. */
  portRange: [number, number];
  /** Address that streams are bound to; the wildcard of either family binds to all of it. */
  address: string;
  /** Further ones. */
  alsoAt?: readonly string[];
  /** Where browsers speak with streams; without it, or without DTLS, they cannot. */
  browsers?: BrowserPlace | undefined;
  /** The built `media-worker.js`. */
  workerPath: string;
  /** Without any packet for so long a stream is "silent"; 0 never. */
  mediaTimeoutMs: number;
  /** For DTLS; without it calls whose keys are agreed on so are refused. */
  certificate?: Certificate | undefined;
  log: { warn(details: object, message: string): void };
  withoutLibc?: boolean;
};

export type ThreadsParts = {
  recordings: Recordings;
  /** Where streams are to outlive the process. */
  ledger: Ledger | undefined;
  /** What an earlier process left. Whoever is gone on with is taken out of it. */
  left: LeftBehind["streams"];
  opened: Handover["opened"];
  tell(event: StreamEvent): void;
};

type Carried = {
  line: ThreadLink;
  /** While it changes threads, whoever wants it waits. */
  moving?: Promise<void>;
};

export class Threads {
  readonly #options: ThreadsOptions;
  readonly #recordings: Recordings;
  readonly #tell: (event: StreamEvent) => void;
  readonly #libc: Libc | undefined;
  readonly #lines: ThreadLink[];
  readonly #streams = new Map<StreamId, Carried>();
  readonly #rooms = new Map<string, ThreadLink>();
  readonly #advances = new Advances({ give: (stream) => void this.#advance(stream), nowMs: () => performance.now() });
  readonly #ledger: Ledger | undefined;
  readonly #left: LeftBehind["streams"];
  readonly #opened: Handover["opened"];
  #isStopping = false;

  constructor(options: ThreadsOptions, { recordings, ledger, left, opened, tell }: ThreadsParts) {
    this.#options = options;
    this.#recordings = recordings;
    this.#ledger = ledger;
    this.#left = left;
    this.#opened = opened;
    this.#tell = tell;
    this.#libc = options.withoutLibc ? undefined : loadLibc();
    // Sockets of node:dgram cannot change threads, and parties of one call must be able to meet.
    const threads = this.#libc ? (options.workers ?? Math.max(1, availableParallelism() - 1)) : 1;
    this.#lines = Array.from({ length: threads }, (_, place) => this.#start(place, threads));
  }

  async ready(): Promise<void> {
    const failures = await Promise.all(this.#lines.map((line) => line.ready));
    const why = failures.find((failure) => failure !== undefined);
    if (why !== undefined) throw new Error(`no media thread: ${why}`);
  }

  async open(
    stream: StreamId,
    options: { at: number; told: string; peerHint?: string },
    near: StreamId | undefined,
  ): Promise<number> {
    const first = this.lineOf(near ?? "") ?? this.#leastBusy();
    const { line, port } = await this.#portIn(first, options.at);
    line.load += 1;
    this.#streams.set(stream, { line });
    // What follows is asked after it, so nobody needs to wait.
    void line.ask({ do: "open", stream, port, ...options });
    return port;
  }

  /** Threads share the ports: where one has none left, another may; streams that are joined meet all the same. */
  async #portIn(first: ThreadLink, at: number): Promise<{ line: ThreadLink; port: number }> {
    const ready = first.ports[at]?.shift();
    if (ready !== undefined) return { line: first, port: ready };
    for (const line of [first, ...this.#lines.filter((it) => it !== first)]) {
      const port = await findPort(line, at);
      if (port !== undefined) return { line, port };
    }
    throw new Error("no free port for media");
  }

  /** Those left behind whose ports could be had. */
  leftBehind(): StreamId[] {
    return this.#lines.flatMap((line) => line.held).filter((it) => this.#left.has(it) || this.#opened.has(it));
  }

  /** Whether it goes on. */
  async resume(stream: StreamId): Promise<boolean> {
    const line = this.#lines.find(({ held }) => held.includes(stream));
    const [found, opened] = [this.#left.get(stream), this.#opened.get(stream)];
    if (!line || (!found && !opened)) return false;
    this.#left.delete(stream);
    this.#opened.delete(stream);
    line.load += 1;
    this.#streams.set(stream, { line });
    const goesOn = await line.ask(found ? { do: "resume", ...found } : { do: "reopen", ...opened! }); // one of the two
    if (goesOn === true) return true;
    this.forget(stream);
    return false;
  }

  async letGo(): Promise<void> {
    this.#left.clear();
    this.#opened.clear();
    await Promise.all(this.#lines.map((line) => line.ask({ do: "letGo" })));
  }

  /** Each thread answers a question about nobody, after all that it was told before. */
  async pulse(): Promise<void> {
    await Promise.all(this.#lines.map((line) => line.ask({ do: "statistics", stream: "" })));
  }

  /** There is a new disk thread. */
  reconnect(): void {
    for (const line of this.#lines) void line.ask({ do: "writeTo", port: this.#recordings.connect(line.place) });
  }

  lineOf(stream: StreamId): ThreadLink | undefined {
    return this.#streams.get(stream)?.line;
  }

  /** The line that carries it, once it stands still. */
  reach(stream: StreamId): ThreadLink | undefined | Promise<ThreadLink | undefined> {
    const moving = this.#streams.get(stream)?.moving;
    return moving ? moving.then(() => this.lineOf(stream)) : this.lineOf(stream);
  }

  /** All in the thread of the first, so that they can hear each other. */
  async bringTogether([first, ...others]: StreamId[]): Promise<ThreadLink | undefined> {
    const line = await this.reach(first ?? "");
    if (!line) return undefined;
    for (const stream of others) {
      await this.reach(stream);
      const carried = this.#streams.get(stream);
      if (!carried || carried.line === line) continue;
      carried.moving = this.#move(stream, carried, line);
      await carried.moving;
      delete carried.moving;
    }
    return line;
  }

  async #move(stream: StreamId, carried: Carried, to: ThreadLink): Promise<void> {
    const luggage = await carried.line.ask({ do: "release", stream });
    if (luggage === GONE || luggage === undefined) return;
    carried.line.load -= 1;
    carried.line = to;
    to.load += 1;
    const adopted = await to.ask({ do: "adopt", luggage });
    // It died before they were its own.
    if (adopted === GONE && to.sockets[luggage.port] === 0) this.#closeSockets([luggage.rtp, luggage.rtcp]);
  }

  lineOfRoom(room: string): ThreadLink | undefined {
    return this.#rooms.get(room);
  }

  noteRoom(room: string, line: ThreadLink, isOpen: boolean): void {
    if (isOpen) this.#rooms.set(room, line);
    else this.#rooms.delete(room);
  }

  forget(stream: StreamId): void {
    const carried = this.#streams.get(stream);
    if (carried) carried.line.load -= 1;
    this.#streams.delete(stream);
    this.#advances.gone(stream);
    this.#ledger?.forget(stream);
  }

  async stop(how: { handOver: boolean }): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#lines.map((line) => line.stop(how)));
    this.#streams.clear();
  }

  #start(place: number, threads: number): ThreadLink {
    const { address, alsoAt = [], portRange, browsers, mediaTimeoutMs, certificate, workerPath } = this.#options;
    const addresses = [address, ...alsoAt];
    // Whom we cannot wake must not sleep in the kernel.
    const withoutLibc = this.#libc === undefined;
    return new ThreadLink({
      workerPath,
      settings: {
        role: "media",
        place,
        threads,
        addresses,
        portRange,
        browsers: certificate && browsers,
        mediaTimeoutMs,
        certificate,
        withoutLibc,
        keeps: this.#ledger !== undefined,
        ...heldBy(this.#left, this.#opened, place, threads),
      },
      disk: this.#recordings.connect(place),
      libc: this.#libc,
      onEvent: (event) => this.#pass(event),
      onAdvance: (news) => this.#advances.hear(news),
      onKept: (news) => this.#ledger?.take(news, (stream) => this.#streams.has(stream)),
      onGone: (line, why) => this.#replace(line, why),
    });
  }

  async #advance(stream: StreamId): Promise<void> {
    await (await this.reach(stream))?.ask({ do: "advance", stream });
  }

  #pass(event: StreamEvent): void {
    // A stream that its thread gave up is closed there already.
    if (event.is === "lost") this.forget(event.stream);
    this.#tell(event);
  }

  #leastBusy(): ThreadLink {
    return this.#lines.reduce((least, line) => (line.load < least.load ? line : least));
  }

  /** Its calls are lost, everybody else's go on, and a new thread takes its place. */
  #replace(line: ThreadLink, why: string): void {
    if (this.#isStopping) return;
    this.#options.log.warn({ thread: line.place, why }, "a media thread died");
    this.#recordings.abandon(line.place);
    // One that never began would only fail again.
    if (line.hasServed) this.#lines[line.place] = this.#start(line.place, this.#lines.length);
    // A dead thread leaves its sockets open: they belong to the process.
    if (line.leavesSockets) this.#closeSockets(line.sockets.filter((socket) => socket > 0));
    for (const [room, at] of this.#rooms) if (at === line) this.#rooms.delete(room);
    for (const [stream, carried] of this.#streams) {
      if (carried.line !== line) continue;
      this.forget(stream);
      this.#tell({ is: "lost", stream, why });
    }
  }

  #closeSockets(sockets: Iterable<number>): void {
    for (const socket of sockets) this.#libc?.close(socket);
  }
}

/** Streams that were together are again, whatever the number of threads. */
function heldBy(left: LeftBehind["streams"], opened: Handover["opened"], place: number, threads: number) {
  const all = [
    ...[...left].map(([stream, { kept, at }]) => ({ stream, at, port: kept.facts.port, of: kept.facts.place })),
    ...[...opened.values()].map(({ stream, at, port }, of) => ({ stream, at, port, of })),
  ];
  return {
    holds: all.filter(({ of }) => of % threads === place).map(({ of: _, ...hold }) => hold),
    leftBehind: all.map(({ port }) => port),
  };
}

/** None stands ready: the thread is asked. */
async function findPort(line: ThreadLink, at: number): Promise<number | undefined> {
  const found = await line.ask({ do: "findPorts", at });
  if (found === GONE) throw new Error("the media thread died");
  line.ports[at]?.push(...found);
  return line.ports[at]?.shift();
}
