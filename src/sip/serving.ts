// The server side of the stack: every request we were sent, until its transaction is over.

import type { Clock } from "../clock.ts";
import { runMachine } from "../machine.ts";
import { callIdOf, toOf } from "./headers/addresses.ts";
import { cseqOf } from "./headers/cseq.ts";
import { tagOf } from "./headers/name-address.ts";
import type { Via } from "./headers/via.ts";
import { type AckHandle, type Incoming, IncomingRequest } from "./incoming.ts";
import type { Message, Octets, Request, Response } from "./message.ts";
import { printMessage } from "./print.ts";
import type { Random } from "./random.ts";
import { responseTo } from "./respond.ts";
import * as acceptance from "./transaction/acceptance.ts";
import * as inviteServer from "./transaction/invite-server.ts";
import { serverKey } from "./transaction/key.ts";
import * as server from "./transaction/server.ts";
import type { Destination, Source } from "./transport/transport.ts";

export type ServingParts = {
  clock: Clock;
  random: Random;
  carry(octets: Octets, destination: Destination, failed?: () => void): void;
  deliver(incoming: Incoming): void;
  /** Runs what may hold somebody's mistake; the stack outlives it. */
  attempt(act: () => void): void;
};

/** A new request. `key` names its transaction; `replyTo` is where its responses go. */
export type Arrival = {
  request: Request;
  source: Source;
  via: Via;
  key: string;
  replyTo: Destination;
  reliable: boolean;
};

/** Small on purpose: of completed transactions thousands a second linger for half a minute. */
type Transaction = {
  receive(input: inviteServer.Input | server.Input): void;
  /** Let go with the final response, and the parsed request with it. */
  owner: IncomingRequest | undefined;
};

type Answered = { receive(input: acceptance.Input): void; onAck: AckHandle | undefined };

export class Serving {
  readonly #parts: ServingParts;
  readonly #transactions = new Map<string, Transaction>();
  /** 2xx to INVITEs that wait for their ACK. */
  readonly #answered = new Map<string, Answered>();

  constructor(parts: ServingParts) {
    this.#parts = parts;
  }

  get transactions(): number {
    return this.#transactions.size;
  }

  get unacknowledged(): number {
    return this.#answered.size;
  }

  /** True when the request belongs to a transaction we have, which has then dealt with it. */
  repeats(key: string): boolean {
    const known = this.#transactions.get(key);
    known?.receive({ is: "again" });
    return known !== undefined;
  }

  take(arrival: Arrival): void {
    const incoming = this.#open(arrival);
    if (arrival.request.method === "CANCEL") this.#cancel(arrival, incoming);
    else this.#parts.deliver(incoming);
  }

  /** True when this is the first ACK of a 2xx and nobody but the dialog's owner has a use for it. */
  takeAck(ack: Request, key: string): boolean {
    this.#transactions.get(key)?.receive({ is: "ack" });
    const answered = this.#answered.get(answerKey(ack));
    if (!answered) return false;
    answered.receive({ is: "ack" });
    const { onAck } = answered;
    if (onAck) this.#parts.attempt(() => onAck(ack));
    return onAck === undefined;
  }

  #open(arrival: Arrival): IncomingRequest {
    const { request, source, key, replyTo } = arrival;
    const send = (response: Response) => this.#respond(transaction, response, replyTo);
    const incoming = new IncomingRequest(request, source, this.#parts.random, send);
    const transaction: Transaction = { receive: this.#run(arrival), owner: incoming };
    this.#transactions.set(key, transaction);
    return incoming;
  }

  // Its own scope, so that the machine's lasting callback does not hold the request.
  #run({ request, key, replyTo, reliable }: Arrival): Transaction["receive"] {
    return request.method === "INVITE"
      ? this.#runInvite(key, replyTo, reliable)
      : this.#runOther(key, replyTo, reliable);
  }

  #runInvite(key: string, replyTo: Destination, reliable: boolean): Transaction["receive"] {
    const failed = () => machine.receive({ is: "transportFailed" });
    const machine = runMachine({
      table: inviteServer.table,
      begin: inviteServer.begin(reliable),
      clock: this.#parts.clock,
      perform: (effect) => {
        if (effect.do === "send") this.#parts.carry(effect.octets, replyTo, failed);
        else if (effect.do === "trying") this.#saysTrying(key);
        else if (effect.do === "finish") this.#transactions.delete(key);
      },
    });
    // The callers' inputs are those of either kind of machine; only an INVITE's reach this one.
    return machine.receive as Transaction["receive"];
  }

  #runOther(key: string, replyTo: Destination, reliable: boolean): Transaction["receive"] {
    const failed = () => machine.receive({ is: "transportFailed" });
    const machine = runMachine({
      table: server.table,
      begin: server.begin(reliable),
      clock: this.#parts.clock,
      perform: (effect) => {
        if (effect.do === "send") this.#parts.carry(effect.octets, replyTo, failed);
        else if (effect.do === "finish") this.#transactions.delete(key);
      },
    });
    return machine.receive as Transaction["receive"];
  }

  #saysTrying(key: string) {
    const owner = this.#transactions.get(key)?.owner;
    owner?.respond(responseTo(owner.request, 100));
  }

  #respond(transaction: Transaction, response: Response, replyTo: Destination) {
    const octets = printMessage(response);
    const { owner } = transaction;
    if (response.status >= 200) transaction.owner = undefined;
    const isInvite = owner?.request.method === "INVITE";
    transaction.receive({ is: isInvite ? inviteInput(response.status) : otherInput(response.status), octets });
    if (isInvite && response.status >= 200 && response.status < 300)
      this.#awaitAck(answerKey(response), octets, replyTo, owner.ackHandle);
  }

  #awaitAck(key: string, octets: Octets, replyTo: Destination, onAck: AckHandle | undefined) {
    const machine = runMachine({
      table: acceptance.table,
      begin: acceptance.begin(octets),
      clock: this.#parts.clock,
      perform: (effect) => {
        if (effect.do === "send") this.#parts.carry(effect.octets, replyTo);
        else if (effect.do === "finish") this.#answered.delete(key);
        else this.#parts.attempt(() => onAck?.("never"));
      },
    });
    this.#answered.set(key, { receive: machine.receive, onAck });
  }

  #cancel({ request, via }: Arrival, cancel: IncomingRequest) {
    const invite = this.#transactions.get(serverKey(request, via, "INVITE"));
    if (!invite) {
      cancel.reply(481);
      return;
    }
    const { owner } = invite;
    cancel.reply(200, owner && { toTag: owner.localTag });
    if (owner) this.#parts.attempt(() => owner.cancelled(request));
  }
}

function inviteInput(status: number): "provisional" | "success" | "failure" {
  if (status < 200) return "provisional";
  return status < 300 ? "success" : "failure";
}

function otherInput(status: number): "provisional" | "final" {
  return status < 200 ? "provisional" : "final";
}

/** What a 2xx and its ACK have in common. */
function answerKey(message: Message): string {
  return `${callIdOf(message)} ${tagOf(toOf(message)) ?? ""} ${cseqOf(message).number}`;
}
