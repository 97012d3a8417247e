// The client side of the stack: every request we sent, until its transaction is over.

import type { Cancel, Clock } from "../clock.ts";
import type { ReportUnexpected } from "../machine.ts";
import { type Attempt, ClientTransaction, type Outcome, type TransactionParts } from "./client-transaction.ts";
import { toOf } from "./headers/addresses.ts";
import { tagOf } from "./headers/name-address.ts";
import { newBranch, type Random } from "./headers/random.ts";
import { type KeptAsked, requestIn } from "./kept-invite.ts";
import { type Header, headerOf, type Octets, type Request, type Response } from "./message/message.ts";
import { printMessage } from "./message/print.ts";
import { sentByTo } from "./transport/sent-by.ts";
import type { Destination, Sender, Source, Transport } from "./transport/transport.ts";

export type { Outcome };

/** Why something is unreachable: we do not speak the transport, or not to that family of addresses. */
export const NO_DOOR = "no-door";

export type Hear = (outcome: Outcome) => void;

/** How long a server may say nothing at all, where that is to be shorter than Timer B or F. */
export type Patience = {
  /** While another server is left to try. */
  silentMs?: number | undefined;
  /** The last of them; the caller has another way. */
  lastSilentMs?: number | undefined;
};

export type Outgoing = {
  /** Takes an INVITE back, as soon as RFC 3261 §9.1 allows; its outcome is still told. `reason` is a Reason header. */
  cancel(reason?: string): void;
  /** Acknowledges a 2xx to this INVITE, and again whenever that 2xx comes again. */
  sendAck(ack: Request, destination: Destination): void;
  /** What a later process needs to go on with this INVITE; undefined once it is answered or taken back. */
  keep(): KeptAsked | undefined;
  /** Whoever was asked is reached there from now on. */
  follow(destination: Destination): void;
  /** Whoever heard so far goes, and nothing here holds on to it: what may still come, as another fork's answer, is told to `hear`. */
  handOver(hear: Hear): void;
};

export type ClientParts = {
  clock: Clock;
  random: Random;
  doorTo(destination: Destination): Transport | undefined;
  carry(octets: Octets, destination: Destination, sender?: Sender): void;
  /** Runs what may hold somebody's mistake; the stack outlives it. */
  attempt(act: () => void): void;
  unexpected: ReportUnexpected;
};

export class Client implements TransactionParts {
  readonly parts: ClientParts;
  readonly #transactions = new Map<string, ClientTransaction>();

  constructor(parts: ClientParts) {
    this.parts = parts;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  get unexpected(): ReportUnexpected {
    return this.parts.unexpected;
  }

  get transactions(): number {
    return this.#transactions.size;
  }

  /** False when no transaction of ours waits for such a response. */
  take(response: Response, source: Source, key: string): boolean {
    const transaction = this.#transactions.get(key);
    transaction?.take(response, source);
    return transaction !== undefined;
  }

  /** The request came back: nobody listens where it went. */
  undelivered(key: string): void {
    this.#transactions.get(key)?.failed();
  }

  /** The destinations are servers of equal right: the next is tried when one cannot be reached or says 503. */
  send(request: Request, destinations: readonly Destination[], hear: Hear, patience: Patience = {}): Outgoing {
    const asked = new Asked(this, { request, destinations, hear, patience });
    asked.tryNext();
    return asked;
  }

  ask(request: Request, destinations: readonly Destination[], patience?: Patience): Promise<Outcome> {
    return new Promise((resolve) => {
      const hear: Hear = (outcome) => {
        if (outcome.is !== "provisional") resolve(outcome);
      };
      this.send(request, destinations, hear, patience);
    });
  }

  /** An INVITE of an earlier process. */
  goOn(kept: KeptAsked, hear: Hear): Outgoing {
    const request = requestIn(kept.invite);
    const asked = new Asked(this, { request, destinations: [], hear, patience: {} });
    asked.goOn(request, kept);
    return asked;
  }

  carry(octets: Octets, destination: Destination, sender?: Sender): void {
    this.parts.carry(octets, destination, sender);
  }

  remember(key: string, transaction: ClientTransaction): void {
    this.#transactions.set(key, transaction);
  }

  forget(key: string): void {
    this.#transactions.delete(key);
  }
}

/** One request over all its attempts. */
class Asked implements Outgoing {
  readonly #client: Client;
  /** Let go once nothing more can come: the transaction lingers, its owner need not. */
  #hear: Hear | undefined;
  readonly #isInvite: boolean;
  /** Let go once its outcome is known: an answered INVITE lingers. */
  #request: Request | undefined;
  /** Not tried yet, the best first. */
  #untried: readonly Destination[];
  #transaction: ClientTransaction | undefined;
  /** Of the attempt that counts. */
  #listener: { heard(outcome: Outcome): void } | undefined;
  readonly #patience: Patience;
  /** There was a door towards one of them. */
  #reached = false;
  #stopWaiting: Cancel = () => undefined;
  /** By the remote tag of each fork that answered: the ACK it got, once the owner has sent one. */
  #acks: Map<string, { octets: Octets; destination: Destination } | undefined> | undefined;

  constructor(
    client: Client,
    what: { request: Request; destinations: readonly Destination[]; hear: Hear; patience: Patience },
  ) {
    this.#client = client;
    this.#patience = what.patience;
    this.#hear = what.hear;
    this.#isInvite = what.request.method === "INVITE";
    this.#request = what.request;
    this.#untried = what.destinations;
  }

  cancel(reason?: string): void {
    this.#stopWaiting();
    this.#untried = [];
    this.#transaction?.cancel(reason);
  }

  sendAck(ack: Request, destination: Destination): void {
    const { doorTo, random } = this.#client.parts;
    const door = doorTo(destination);
    if (!door) return;
    const octets = printMessage(stamped(ack, { door, destination, branch: newBranch(random) }));
    this.#acks ??= new Map();
    this.#acks.set(tagOf(toOf(ack)) ?? "", { octets, destination });
    this.#client.carry(octets, destination);
  }

  keep(): KeptAsked | undefined {
    return this.#transaction?.keep();
  }

  follow(destination: Destination): void {
    this.#transaction?.follow(destination);
  }

  goOn(request: Request, { branch, destination, heard }: KeptAsked): void {
    const reliable = destination.transport !== "udp";
    this.#begin({ request, branch, destination, reliable, before: { heard } });
  }

  handOver(hear: Hear): void {
    if (this.#hear) this.#hear = hear;
  }

  tryNext(): void {
    const { doorTo, random, clock } = this.#client.parts;
    while (this.#untried.length > 0) {
      const [destination, ...others] = this.#untried;
      this.#untried = others;
      const door = destination && doorTo(destination);
      if (!door || !this.#request) continue;
      this.#reached = true;
      const branch = newBranch(random);
      const request = stamped(this.#request, { door, destination, branch });
      const attempt = { request, branch, destination, reliable: door.reliable };
      this.#begin(attempt);
      return;
    }
    const reached = this.#reached;
    clock.after(0, () => this.#tell({ is: "unreachable", why: reached ? undefined : NO_DOOR }));
  }

  #begin(attempt: Attempt): void {
    const { silentMs, lastSilentMs } = this.#patience;
    const limitMs = this.#untried.length > 0 ? silentMs : lastSilentMs;
    if (limitMs !== undefined && this.#isInvite)
      this.#stopWaiting = this.#client.clock.after(limitMs, () => this.#giveUp());
    this.#listener = { heard: (outcome) => this.heard(outcome) };
    this.#transaction = new ClientTransaction(this.#client, { ...attempt, patienceMs: limitMs }, this.#listener);
  }

  #giveUp(): void {
    this.#abandon();
    if (this.#untried.length > 0) return this.tryNext();
    this.#request = undefined;
    const hear = this.#hear; // kept: a server may yet wake up
    if (hear) this.#client.parts.attempt(() => hear({ is: "timeout" }));
  }

  /** Whatever comes of this attempt, its INVITE is taken back; but somebody who picks up all the same has answered. */
  #abandon(): void {
    if (this.#listener)
      this.#listener.heard = (outcome) => {
        if (outcome.is !== "success") return;
        this.#stopWaiting();
        this.#untried = [];
        this.#abandon();
        this.#answered(outcome);
      };
    this.#transaction?.cancel(undefined);
  }

  heard(outcome: Outcome): void {
    this.#stopWaiting();
    if (isWorthAnotherServer(outcome) && this.#untried.length > 0) {
      this.tryNext();
      return;
    }
    if (outcome.is !== "provisional") this.#request = undefined;
    // A 100 comes from the next hop alone; anything above shows that the request found its way.
    if ("response" in outcome && outcome.response.status > 100) this.#untried = [];
    if (outcome.is === "success" && this.#isInvite) this.#answered(outcome);
    else this.#tell(outcome);
  }

  // A 2xx is repeated until its ACK arrives, and forks answer one by one: the remote tag tells the two apart.
  #answered(outcome: Extract<Outcome, { response: Response }>) {
    const tag = tagOf(toOf(outcome.response)) ?? "";
    this.#acks ??= new Map();
    if (!this.#acks.has(tag)) {
      this.#acks.set(tag, undefined);
      this.#tell(outcome);
      return;
    }
    const ack = this.#acks.get(tag);
    if (ack) this.#client.carry(ack.octets, ack.destination);
  }

  #tell(outcome: Outcome) {
    const hear = this.#hear;
    const isLast = outcome.is !== "provisional" && !(outcome.is === "success" && this.#isInvite);
    if (isLast) this.#hear = undefined;
    if (hear) this.#client.parts.attempt(() => hear(outcome));
  }
}

type Stamp = { door: Transport; destination: Destination; branch: string };

/** With our Via on top, and a Max-Forwards. */
function stamped(request: Request, { door, destination, branch }: Stamp): Request {
  const { host, port } = sentByTo(door, destination);
  const via = `SIP/2.0/${door.name.toUpperCase()} ${host}:${port};rport;branch=${branch}`;
  const headers: Header[] = [{ name: "Via", value: via }];
  if (headerOf(request, "Max-Forwards") === undefined) headers.push({ name: "Max-Forwards", value: "70" });
  for (const header of request.headers) headers.push(header);
  return { is: "request", method: request.method, uri: request.uri, headers, body: request.body };
}

// RFC 3263 §4.3.
function isWorthAnotherServer(outcome: Outcome): boolean {
  if (outcome.is === "failure") return outcome.response.status === 503;
  return outcome.is === "timeout" || outcome.is === "unreachable";
}
