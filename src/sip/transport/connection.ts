// One stream to one peer: its framing, its keep-alives, and the patience we have with it.

import type { Socket } from "node:net";
import type { Cancel, Clock } from "../../clock.ts";
import type { Octets } from "../message/message.ts";
import { type Framed, type Framing, openFraming } from "../reading/stream.ts";
import { letsIn, STRANGERS } from "./stranger.ts";
import type { CountLimits } from "./stream-count.ts";
import type { Receiver, Refused, Sender, Source } from "./transport.ts";

export type StreamLimits = CountLimits & {
  /** Octets of one message. */
  message: number;
  /** Octets we hold for a peer that does not read. */
  unsent: number;
  /** How long a message may take to arrive once it has begun. */
  unfinishedMs: number;
  /** How long a stream may be silent of which nobody has logged in and nothing is under way. */
  strangerMs: number;
  /** The same for all others. */
  idleMs: number;
  connectMs: number;
};

export const STREAM_LIMITS: StreamLimits = {
  connections: 10_000,
  connectionsPerSource: 500,
  message: 65_535,
  unsent: 1 << 20,
  unfinishedMs: 20_000,
  strangerMs: STRANGERS.idleMs,
  idleMs: 4_000_000, // Longer than an hour's registration, for phones that keep nothing alive.
  connectMs: 5_000,
};

/** All the streams of the transport, of which it is one. */
type Fellows = {
  readonly options: { readonly clock: Clock; readonly limits: StreamLimits };
  readonly receiver: Receiver | undefined;
  forget(connection: Connection): void;
  /** It is no stranger's any more. */
  letIn(connection: Connection): void;
};

const PONG = "\r\n";
const TCP_KEEP_ALIVE_MS = 60_000;

type Unsent = { octets: Octets; sender: Sender | undefined };

export class Connection {
  readonly source: Source;
  readonly #all: Fellows;
  readonly #socket: Socket;
  readonly #framing: Framing;
  /** Messages the kernel has not taken yet. */
  readonly #unsent = new Set<Unsent>();
  /** Why it closed, in the system's own code. */
  #why = "connection closed";
  #isReady = true;
  #patience: Cancel;
  #hasProved = false;
  #messages = 0;
  #isStranger = true;
  #isWaitingForRest = false;

  constructor(all: Fellows, socket: Socket, source: Source) {
    const { limits } = all.options;
    this.#all = all;
    this.#socket = socket;
    this.source = source;
    this.#framing = openFraming({ maxMessage: limits.message });
    this.#patience = this.#wait(limits.strangerMs, "unfinished-message");
    socket.setNoDelay(true);
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    socket.on("data", (octets: Buffer) => this.#read(octets.toString("latin1")));
    socket.on("error", (error: Error & { code?: string }) => {
      this.#why = error.code ?? error.message;
    });
    socket.on("close", () => this.#closed());
  }

  write(octets: Octets, sender: Sender | undefined): void {
    if (this.#isStranger && letsIn(octets)) this.#letIn();
    const message = { octets, sender };
    this.#unsent.add(message);
    if (this.#isReady) this.#push(message);
  }

  /** Ours to open: it must be up before long, and nothing is said to a server that has not proved its name. */
  expectConnect(event: "connect" | "secureConnect"): void {
    const { connectMs, idleMs } = this.#all.options.limits;
    this.#hasProved = true;
    this.#letIn();
    this.#isReady = false;
    this.#restart(connectMs, undefined);
    this.#socket.once(event, () => {
      this.#isReady = true;
      this.#restart(idleMs, undefined);
      for (const message of this.#unsent) this.#push(message);
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #push(message: Unsent) {
    this.#socket.write(message.octets, "latin1", (error) => {
      if (this.#unsent.delete(message) && error) message.sender?.failed(error.message);
    });
    if (this.#socket.writableLength > this.#all.options.limits.unsent) this.#cutOff("slow-reader");
  }

  #read(octets: Octets) {
    const { receiver } = this.#all;
    const before = this.#messages;
    for (const framed of this.#framing.push(octets)) if (!this.#take(framed)) return;
    if (receiver) this.#watch(this.#messages > before);
  }

  #letIn(): void {
    if (!this.#isStranger) return;
    this.#isStranger = false;
    this.#all.letIn(this);
    if (this.#hasProved && !this.#isWaitingForRest) this.#restart(this.#all.options.limits.idleMs, undefined);
  }

  /** False when the stream has come to its end. */
  #take(framed: Framed): boolean {
    if ("ping" in framed) this.#socket.write(PONG);
    else if ("broken" in framed) {
      this.#cutOff("bad-stream");
      return false;
    } else {
      this.#hasProved ||= "message" in framed;
      this.#messages += 1;
      this.#all.receiver?.receiveParsed(framed, this.source);
    }
    return true;
  }

  // A message that trickles in has one span of time in all, however often a few octets of it arrive.
  #watch(hasBrought: boolean) {
    const { unfinishedMs, idleMs, strangerMs } = this.#all.options.limits;
    const isUnfinished = this.#framing.held() > 0;
    if (isUnfinished && this.#isWaitingForRest) return;
    this.#isWaitingForRest = isUnfinished;
    if (isUnfinished) this.#restart(unfinishedMs, "unfinished-message");
    else if (!this.#isStranger) this.#restart(idleMs, undefined);
    // Signs of life alone are none of a stranger's business here.
    else if (hasBrought) this.#restart(strangerMs, undefined);
  }

  #restart(ms: number, refusal: Refused | undefined) {
    this.#patience();
    this.#patience = this.#wait(ms, refusal);
  }

  #wait(ms: number, refusal: Refused | undefined): Cancel {
    return this.#all.options.clock.after(ms, () => this.#expire(refusal));
  }

  /** Carriers and proxies of ours log in nowhere, and are no strangers: they may be silent. */
  #expire(refusal: Refused | undefined): void {
    const isKnown = this.#isStranger && !this.#isWaitingForRest && this.#all.receiver?.knows?.(this.source) === true;
    if (!isKnown) return this.#cutOff(refusal);
    this.#letIn();
    this.#restart(this.#all.options.limits.idleMs, undefined);
  }

  #cutOff(refusal: Refused | undefined) {
    if (refusal) this.#all.receiver?.refused(refusal, this.source);
    if (refusal !== "bad-stream") return void this.#socket.destroy();
    // An answer that says why may still be on its way out; a peer that does not read it is not waited for.
    this.#socket.end(() => this.#socket.destroy());
    this.#restart(this.#all.options.limits.unfinishedMs, undefined);
  }

  #closed() {
    this.#patience();
    this.#all.forget(this);
    const unsent = [...this.#unsent];
    this.#unsent.clear();
    for (const { sender } of unsent) sender?.failed(this.#why);
  }
}
