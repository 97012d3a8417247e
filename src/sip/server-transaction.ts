// One request that we were sent, until its transaction is over: what was answered, to whom, and what its repeat gets.

import type { Clock } from "../clock.ts";
import { Machine, type ReportUnexpected } from "../machine.ts";
import type { Via } from "./headers/via.ts";
import type { Acknowledging, IncomingRequest } from "./incoming.ts";
import type { KeptTaken } from "./kept-invite.ts";
import type { Octets, Request, Response } from "./message/message.ts";
import { printMessage } from "./message/print.ts";
import type { Asked } from "./repeats.ts";
import { responseTo } from "./respond.ts";
import type { LookAgain } from "./stack-options.ts";
import type { Thrift } from "./thrift.ts";
import * as inviteServer from "./transaction/invite-server.ts";
import * as server from "./transaction/server.ts";
import type { Destination, Sender, Source } from "./transport/transport.ts";

/** A new request. `key` names its transaction; `replyTo` is where its responses go. */
export type Arrival = {
  request: Request;
  source: Source;
  via: Via;
  key: string;
  replyTo: Destination;
  reliable: boolean;
  /** Of the datagram it came in. */
  size?: number | undefined;
  early?: LookAgain | undefined;
  /** Of an earlier process. */
  before?: Pick<KeptTaken, "last" | "localTag"> | undefined;
};

/** What it is one of. */
export type ServerSide = {
  readonly parts: {
    clock: Clock;
    carry(octets: Octets, destination: Destination, sender?: Sender): void;
    unexpected: ReportUnexpected;
    thrift: Pick<Thrift, "printed" | "mayRepeat" | "isForStranger">;
  };
  forget(key: string): void;
  awaitAck(response: Response, octets: Octets, replyTo: Destination, acknowledging: Acknowledging): void;
};

/** Small on purpose, and free of the parsed request once it is answered: thousands a second linger for half a minute. */
export class ServerTransaction {
  /** Let go with the final response. */
  owner: IncomingRequest | undefined;
  passedOnAs: string | undefined;
  readonly localTag: string | undefined;
  readonly #serverSide: ServerSide;
  readonly #key: string;
  #replyTo: Destination;
  readonly #size: number | undefined;
  readonly #source: Source;
  readonly #isEarly: boolean;
  readonly #run:
    | Machine<inviteServer.State, inviteServer.Input, inviteServer.Effect>
    | Machine<server.State, server.Input, server.Effect>;

  constructor(serverSide: ServerSide, { request, source, key, replyTo, reliable, size, before, early }: Arrival) {
    this.#serverSide = serverSide;
    this.#size = size;
    this.#source = source;
    this.#isEarly = early !== undefined;
    this.#key = key;
    this.#replyTo = replyTo;
    this.localTag = before?.localTag;
    const { clock } = serverSide.parts;
    this.#run =
      request.method === "INVITE"
        ? new Machine(inviteServer.table, inviteServer.beginAgain(reliable, before?.last), clock, this)
        : new Machine(server.table, server.begin(reliable), clock, this);
  }

  // Each sender of inputs knows which of the two kinds of transaction it speaks to.
  receive(input: inviteServer.Input | server.Input): void {
    (this.#run as { receive(input: inviteServer.Input | server.Input): void }).receive(input);
  }

  /** What a repeat of it has in common with it. */
  get asked(): Asked {
    return { source: this.#source, size: this.#size, replyTo: this.#replyTo };
  }

  /** False: it is more than whoever asks may have. */
  repeatTo(again: Asked): boolean {
    const state = this.#run.state();
    const last = "last" in state ? state.last : undefined;
    if (last !== undefined && !this.#serverSide.parts.thrift.mayRepeat(last, again)) return false;
    this.receive({ is: "again" });
    return true;
  }

  /** Only of an INVITE that waits for its answer. */
  keep(): Pick<KeptTaken, "key" | "last"> | undefined {
    const state = this.#run.state();
    return state.at === "proceeding" ? { key: this.#key, last: state.last } : undefined;
  }

  repeat(): void {
    this.receive({ is: "again" });
  }

  follow(destination: Destination): void {
    this.#replyTo = destination;
  }

  respond(response: Response): void {
    const { status } = response;
    const { owner } = this;
    const octets = this.#printed(response);
    if (status >= 200) this.owner = undefined;
    const isOnce = status >= 300 && this.#isStrangers();
    if (isOnce && octets !== undefined) this.#serverSide.parts.carry(octets, this.#replyTo);
    if (isOnce || octets === undefined) return this.#serverSide.forget(this.#key);
    if (owner?.request.method !== "INVITE") {
      this.receive({ is: status < 200 ? "provisional" : "final", octets });
      return;
    }
    this.receive({ is: status < 200 ? "provisional" : status < 300 ? "success" : "failure", octets });
    if (status >= 200 && status < 300) this.#serverSide.awaitAck(response, octets, this.#replyTo, owner.acknowledging);
  }

  /** It waited before its sender could be asked who he is: he is answered once, and again if he asks again. */
  #isStrangers(): boolean {
    return this.#isEarly && this.#serverSide.parts.thrift.isForStranger(this.asked);
  }

  #printed(response: Response): Octets | undefined {
    const { owner } = this;
    if (this.#size === undefined || !owner) return printMessage(response);
    return this.#serverSide.parts.thrift.printed(response, { source: owner.source, size: this.#size });
  }

  // A datagram that cannot be sent is like one that got lost: the sender of the request asks again.
  #isStream(): boolean {
    return this.#replyTo.transport !== "udp";
  }

  failed(): void {
    this.receive({ is: "transportFailed" });
  }

  perform(effect: Exclude<inviteServer.Effect, { do: "start" }>): void {
    if (effect.do === "send")
      this.#serverSide.parts.carry(effect.octets, this.#replyTo, this.#isStream() ? this : undefined);
    else if (effect.do === "finish") this.#serverSide.forget(this.#key);
    else if (effect.do === "report") this.owner?.lost();
    else if (effect.do === "trying" && !this.#isStrangers()) this.owner?.respond(responseTo(this.owner.request, 100));
  }
  unexpected(state: string, input: string): void {
    this.#serverSide.parts.unexpected({ machine: "server transaction", state, input });
  }
}
