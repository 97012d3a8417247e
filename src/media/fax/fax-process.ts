// The exchange's side of the fax process: starts it for the first fax, and again when it died or got stuck.

import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:dgram";
import { resolve } from "node:path";
import { type Cancel, type Clock, LONG_AGO, since } from "../../clock.ts";
import { startOwnProcess } from "../../programs/own-process.ts";
import {
  type FaxAvailability,
  type FaxEngine,
  type FaxEvent,
  type FaxOptions,
  type FaxResult,
  type FaxSession,
  failedFax,
} from "./fax-engine.ts";
import type { FaxPlaces, FaxProcessSettings, FromFax, ToFax } from "./messages.ts";
import { type FaxSockets, openFaxSockets } from "./sockets.ts";

export type FaxProcessOptions = {
  places: FaxPlaces;
  /** For pages that come, and for others with their header while they are sent. */
  folder: string;
  /** Where pages that are sent may lie beside. */
  documents: readonly string[];
  /** The built `fax-machines.js`. */
  processPath: string;
  clock: Clock;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
};

export type FaxDrill = FaxEngine & {
  /** For drills: the process, while it runs. */
  pid(): number | undefined;
};

/** Without a beat for so long it is stuck: a busy machine needs patience, a dead call none. */
const STUCK_MS = 20_000;
const LEAVE_MS = 2_000;
const MOST_MEMORY_MB = 2_000;
/** The library keeps a little of every fax, so that the process is changed for a fresh one now and then. */
const MOST_FAXES = 500;
/** Somebody may have installed it meanwhile. */
const ASK_AGAIN_MS = 30_000;

type Opened = { port: number } | { refused: string };
type Session = {
  hear(event: FaxEvent): void;
  finish(result: FaxResult): void;
  /** Who waits for a line, in the order in which they asked: both sides of a call may at the same time. */
  opening: Record<"audio" | "t38", ((opened: Opened) => void)[]>;
};

export function openFaxProcess(options: FaxProcessOptions): FaxDrill {
  return new FaxProcess(options);
}

class FaxProcess implements FaxDrill {
  readonly #options: FaxProcessOptions;
  readonly #sessions = new Map<number, Session>();
  readonly #sockets: FaxSockets;
  #child: ChildProcess | undefined;
  #availability: Promise<FaxAvailability> | undefined;
  #say: (availability: FaxAvailability) => void = () => undefined;
  #asked = LONG_AGO;
  #last = 0;
  #faxes = 0;
  #stopWatching: Cancel = () => undefined;
  #isStopped = false;

  constructor(options: FaxProcessOptions) {
    this.#options = options;
    this.#sockets = openFaxSockets(options.places);
  }

  get inside(): string {
    return this.#options.places.inside;
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  async availability(): Promise<FaxAvailability> {
    const known = await this.#availability;
    if (known?.available || (known && since(this.#options.clock, this.#asked) < ASK_AGAIN_MS)) return known;
    if (this.#isStopped) return { available: false, why: "the exchange stops" };
    this.#child ??= this.#start();
    return (await this.#availability) ?? { available: false, why: "the fax process does not start" };
  }

  start(options: FaxOptions): FaxSession {
    const session = ++this.#last;
    let hear: (event: FaxEvent) => void = () => undefined;
    let finish: (result: FaxResult) => void = () => undefined;
    const done = new Promise<FaxResult>((resolve) => {
      finish = resolve;
    });
    const opening: Session["opening"] = { audio: [], t38: [] };
    this.#sessions.set(session, { opening, finish, hear: (event) => hear(event) });
    this.#faxes += 1;
    const pages = { tiff: resolve(options.pages.tiff) }; // the process is elsewhere
    this.#send({ do: "start", session, options: { ...options, pages } });
    const open = async (what: "audio" | "t38", { order, socket }: { order: ToFax; socket: Socket | undefined }) =>
      new Promise<Opened>((resolve) => {
        if (!socket) return resolve({ refused: "no port is free" });
        if (this.#sessions.has(session)) opening[what].push(resolve);
        else resolve({ refused: "the fax is over" });
        this.#send(order, socket);
      });
    return {
      done,
      listen: (next) => {
        hear = next;
      },
      openAudio: async (side) =>
        open("audio", { order: { do: "openAudio", session, side }, socket: await this.#sockets.sound() }),
      openT38: async () => open("t38", { order: { do: "openT38", session }, socket: await this.#sockets.data() }),
      beginT38: (agreed, alsoFrom) => this.#send({ do: "beginT38", session, agreed, alsoFrom }),
      terminate: () => this.#send({ do: "terminate", session }),
      close: () => this.#close(session),
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopWatching();
    const child = this.#child;
    if (!child) return;
    const left = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const cancel = this.#options.clock.after(LEAVE_MS, () => child.kill("SIGKILL"));
    if (child.connected) child.disconnect();
    await left;
    cancel();
  }

  #close(session: number): void {
    const closed = this.#sessions.get(session);
    if (!closed) return;
    refuse(closed.opening, "the fax is over");
    this.#send({ do: "close", session });
    this.#sessions.delete(session);
    if (this.#faxes < MOST_FAXES || this.#sessions.size > 0 || !this.#child) return;
    this.#options.log.info({ pid: this.#child.pid, faxes: this.#faxes }, "the fax process is changed for a fresh one");
    const old = this.#child;
    this.#child = undefined;
    this.#stopWatching();
    old.disconnect();
  }

  #send(order: ToFax, socket?: Socket): void {
    const given = () => void socket?.close();
    // A session whose process is gone has been told so; nothing of it is left to do elsewhere.
    if (!this.#sessions.has(order.session)) return given();
    if (this.#isStopped) {
      given();
      return this.#lose("The exchange stops", "engineLost");
    }
    if (order.do === "start") this.#child ??= this.#start();
    // A channel that has just closed says so here; the exit that follows tells whoever waits.
    if (this.#child) this.#child.send(order, socket, {}, given);
    else given();
  }

  #start(): ChildProcess {
    const { processPath, folder, documents, log, clock } = this.#options;
    this.#faxes = 0;
    this.#asked = clock.ticks();
    this.#availability = new Promise((resolve) => {
      this.#say = resolve;
    });
    const settings: FaxProcessSettings = { folder: resolve(folder) };
    const means = { sight: { reads: documents, writes: [folder] }, network: "none", memoryMb: MOST_MEMORY_MB } as const;
    const child = startOwnProcess({ path: processPath, settings, ...means });
    child.on("message", (message: FromFax) => {
      if (child === this.#child) this.#hear(message);
    });
    child.once("error", (error) => {
      log.warn({ error: error.message }, "the fax process broke");
      if (child.pid === undefined) this.#died(child, error.message); // it never began, and so never ends
    });
    child.once("exit", (code, signal) => this.#died(child, signal ?? code));
    this.#watch(child);
    return child;
  }

  #watch(child: ChildProcess): void {
    this.#stopWatching();
    this.#stopWatching = this.#options.clock.after(STUCK_MS, () => {
      this.#options.log.warn({ pid: child.pid }, "the fax process is stuck and is started anew");
      child.kill("SIGKILL");
    });
  }

  #hear(message: FromFax): void {
    if (this.#child) this.#watch(this.#child);
    // The act is chosen by the very field its parameter narrows on.
    (this.#acts[message.is] as (message: FromFax) => void)(message);
  }

  readonly #acts: { [Is in FromFax["is"]]: (message: Extract<FromFax, { is: Is }>) => void } = {
    ready: () => {
      this.#options.log.info({ pid: this.#child?.pid }, "the fax process runs");
      this.#say({ available: true });
    },
    missing: ({ why }) => this.#miss(why),
    beat: () => undefined,
    opened: ({ session, what, port }) => this.#sessions.get(session)?.opening[what].shift()?.({ port }),
    notOpened: ({ session, what, why }) => this.#sessions.get(session)?.opening[what].shift()?.({ refused: why }),
    event: ({ session, event }) => this.#sessions.get(session)?.hear(event),
    done: ({ session, result }) => this.#sessions.get(session)?.finish(result),
    fault: ({ text }) => this.#options.log.warn({ fault: text }, "a fax broke"),
  };

  #miss(why: string): void {
    const child = this.#child;
    this.#child = undefined;
    this.#stopWatching();
    child?.disconnect();
    this.#options.log.warn({ why }, "no faxes here");
    this.#say({ available: false, why });
    this.#lose(why, "unavailable");
  }

  #died(child: ChildProcess, how: string | number | null): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    this.#stopWatching();
    this.#say({ available: false, why: "the fax process died" });
    this.#availability = undefined;
    if (!this.#isStopped) this.#options.log.warn({ how, faxes: this.#sessions.size }, "the fax process died");
    this.#lose("The fax machine broke", "engineLost");
  }

  #lose(text: string, why: "engineLost" | "unavailable"): void {
    const lost = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const { opening, finish } of lost) {
      refuse(opening, text);
      finish(failedFax(why, text));
    }
  }
}

function refuse({ audio, t38 }: Session["opening"], why: string): void {
  for (const answer of [...audio, ...t38]) answer({ refused: why });
}
