// One stream to one peer: its framing, its keep-alives, and the patience we have with it.

import type { Socket } from "node:net";
import type { Cancel } from "../../clock.ts";
import type { Octets } from "../message.ts";
import { type Framed, type Framing, openFraming } from "../stream.ts";
import type { Connections } from "./connections.ts";
import type { Refused, Sender, Source } from "./transport.ts";

const PONG = "\r\n";
const TCP_KEEP_ALIVE_MS = 60_000;

export class Connection {
  readonly source: Source;
  readonly #all: Connections;
  readonly #socket: Socket;
  readonly #framing: Framing;
  /** Those whose message the kernel has not taken yet. */
  readonly #senders = new Set<Sender>();
  #patience: Cancel;
  #hasProved = false;
  #isWaitingForRest = false;

  constructor(all: Connections, socket: Socket, source: Source) {
    const { limits } = all.options;
    this.#all = all;
    this.#socket = socket;
    this.source = source;
    this.#framing = openFraming({ maxMessage: limits.message });
    this.#patience = this.#wait(limits.unfinishedMs, "unfinished-message");
    socket.setNoDelay(true);
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    socket.on("data", (octets: Buffer) => this.#read(octets.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => this.#closed());
  }

  write(octets: Octets, sender: Sender): void {
    this.#senders.add(sender);
    this.#socket.write(octets, "latin1", (error) => {
      if (this.#senders.delete(sender) && error) sender.failed(error.message);
    });
    if (this.#socket.writableLength > this.#all.options.limits.unsent) this.#cutOff("slow-reader");
  }

  /** Ours to open: it must be up before long. */
  expectConnect(): void {
    const { connectMs, idleMs } = this.#all.options.limits;
    this.#hasProved = true;
    this.#restart(connectMs, undefined);
    this.#socket.once("connect", () => this.#restart(idleMs, undefined));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(octets: Octets) {
    const { receiver } = this.#all;
    for (const framed of this.#framing.push(octets)) if (!this.#take(framed)) return;
    if (receiver) this.#watch();
  }

  /** False when the stream has come to its end. */
  #take(framed: Framed): boolean {
    if ("ping" in framed) this.#socket.write(PONG);
    else if ("broken" in framed) {
      this.#cutOff("bad-stream");
      return false;
    } else {
      this.#hasProved ||= "message" in framed;
      this.#all.receiver?.receiveParsed(framed, this.source);
    }
    return true;
  }

  // A message that trickles in has one span of time in all, however often a few octets of it arrive.
  #watch() {
    const { unfinishedMs, idleMs } = this.#all.options.limits;
    const isUnfinished = this.#framing.held() > 0;
    if (isUnfinished && this.#isWaitingForRest) return;
    this.#isWaitingForRest = isUnfinished;
    if (isUnfinished) this.#restart(unfinishedMs, "unfinished-message");
    else if (this.#hasProved) this.#restart(idleMs, undefined);
  }

  #restart(ms: number, refusal: Refused | undefined) {
    this.#patience();
    this.#patience = this.#wait(ms, refusal);
  }

  #wait(ms: number, refusal: Refused | undefined): Cancel {
    return this.#all.options.clock.after(ms, () => this.#cutOff(refusal));
  }

  #cutOff(refusal: Refused | undefined) {
    if (refusal) this.#all.receiver?.refused(refusal, this.source);
    // An answer that says why may still be on its way out; a peer that does not read it is not waited for.
    if (refusal === "bad-stream") this.#socket.end(() => this.#socket.destroy());
    else this.#socket.destroy();
  }

  #closed() {
    this.#patience();
    this.#all.forget(this);
    const senders = [...this.#senders];
    this.#senders.clear();
    for (const sender of senders) sender.failed("connection closed");
  }
}
