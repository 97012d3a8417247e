// The client side of the stack: every request we sent, until its transaction is over.

import type { Clock } from "../clock.ts";
import { toOf } from "./headers/addresses.ts";
import { tagOf } from "./headers/name-address.ts";
import { type Header, headerOf, type Octets, type Request, type Response } from "./message.ts";
import { printMessage } from "./print.ts";
import { newBranch, type Random } from "./random.ts";
import * as client from "./transaction/client.ts";
import * as inviteClient from "./transaction/invite-client.ts";
import { clientKey } from "./transaction/key.ts";
import { Run } from "./transaction/run.ts";
import type { Destination, Sender, Source, Transport } from "./transport/transport.ts";

export type Outcome =
  /** An INVITE may succeed more than once: each fork that answers is told, and told once. */
  { is: "provisional" | "success" | "failure"; response: Response; source: Source } | { is: "timeout" | "unreachable" };

export type Hear = (outcome: Outcome) => void;

export type Outgoing = {
  /** Takes an INVITE back, as soon as RFC 3261 §9.1 allows; its outcome is still told. `reason` is a Reason header. */
  cancel(reason?: string): void;
  /** Acknowledges a 2xx to this INVITE, and again whenever that 2xx comes again. */
  sendAck(ack: Request, destination: Destination): void;
};

export type AskingParts = {
  clock: Clock;
  random: Random;
  doorTo(destination: Destination): Transport | undefined;
  carry(octets: Octets, destination: Destination, sender?: Sender): void;
  /** Runs what may hold somebody's mistake; the stack outlives it. */
  attempt(act: () => void): void;
};

type Receiving = { receive(input: inviteClient.Input | client.Input): void };
type Transaction = Receiving & {
  /** Of the response in hand. */
  source: Source | undefined;
};

/** One request over all its attempts. */
type Asked = {
  /** Let go once its outcome is known: an answered INVITE lingers. */
  request: Request | undefined;
  isInvite: boolean;
  hear: Hear;
  /** Not tried yet, the best first. */
  destinations: Destination[];
  transaction: Transaction | undefined;
  /** By the remote tag of each fork that answered: the ACK it got, once the owner has sent one. */
  acks: Map<string, { octets: Octets; destination: Destination } | undefined>;
};

export class Asking {
  readonly #parts: AskingParts;
  readonly #transactions = new Map<string, Transaction>();

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  get transactions(): number {
    return this.#transactions.size;
  }

  /** False when no transaction of ours waits for such a response. */
  take(response: Response, source: Source, key: string): boolean {
    const transaction = this.#transactions.get(key);
    if (!transaction) return false;
    transaction.source = source;
    transaction.receive({ is: kindOf(response.status), response });
    return true;
  }

  /** The destinations are servers of equal right: the next is tried when one cannot be reached or says 503. */
  send(request: Request, destinations: readonly Destination[], hear: Hear): Outgoing {
    const asked: Asked = {
      request,
      isInvite: request.method === "INVITE",
      hear,
      destinations: [...destinations],
      transaction: undefined,
      acks: new Map(),
    };
    this.#tryNext(asked);
    return {
      cancel: (reason) => {
        asked.destinations = [];
        asked.transaction?.receive({ is: "cancel", reason });
      },
      sendAck: (ack, destination) => this.#sendAck(asked, ack, destination),
    };
  }

  #tryNext(asked: Asked) {
    for (let destination = asked.destinations.shift(); destination; destination = asked.destinations.shift()) {
      const door = this.#parts.doorTo(destination);
      if (door && asked.request)
        return this.#start(asked, stamped(asked.request, door, newBranch(this.#parts.random)), destination);
    }
    this.#parts.clock.after(0, () => this.#tell(asked.hear, { is: "unreachable" }));
  }

  #start(asked: Asked, { request, branch, reliable }: Stamped, destination: Destination) {
    const attempt: Attempt = { request, branch, destination, reliable };
    const hear = (outcome: Outcome) => this.#heard(asked, outcome);
    asked.transaction = asked.isInvite ? this.#runInvite(attempt, hear) : this.#runOther(attempt, hear);
  }

  #heard(asked: Asked, outcome: Outcome) {
    if (isWorthAnotherServer(outcome) && asked.destinations.length > 0) return this.#tryNext(asked);
    if (outcome.is !== "provisional") asked.request = undefined;
    // A 100 comes from the next hop alone; anything above shows that the request found its way.
    if ("response" in outcome && outcome.response.status > 100) asked.destinations = [];
    if (outcome.is === "success" && asked.isInvite) return this.#answered(asked, outcome);
    this.#tell(asked.hear, outcome);
  }

  // A 2xx is repeated until its ACK arrives, and forks answer one by one: the remote tag tells the two apart.
  #answered(asked: Asked, outcome: Extract<Outcome, { response: Response }>) {
    const tag = tagOf(toOf(outcome.response)) ?? "";
    if (!asked.acks.has(tag)) {
      asked.acks.set(tag, undefined);
      return this.#tell(asked.hear, outcome);
    }
    const ack = asked.acks.get(tag);
    if (ack) this.#parts.carry(ack.octets, ack.destination);
  }

  #sendAck(asked: Asked, ack: Request, destination: Destination) {
    const door = this.#parts.doorTo(destination);
    if (!door) return;
    const octets = printMessage(stamped(ack, door, newBranch(this.#parts.random)).request);
    asked.acks.set(tagOf(toOf(ack)) ?? "", { octets, destination });
    this.#parts.carry(octets, destination);
  }

  #runInvite({ request, branch, destination, reliable }: Attempt, hear: Hear): Transaction {
    const key = clientKey("INVITE", branch);
    const transaction: Transaction = { receive: ignore, source: undefined };
    this.#transactions.set(key, transaction);
    const sender: Sender = { failed: () => run.receive({ is: "transportFailed" }) };
    const run = new Run({
      table: inviteClient.table,
      begin: inviteClient.begin({ request, octets: printMessage(request), reliable }),
      clock: this.#parts.clock,
      perform: (effect) => {
        if (effect.do === "send") this.#parts.carry(effect.octets, destination, sender);
        else if (effect.do === "cancel")
          this.#runOther({ request: effect.request, branch, destination, reliable }, ignore);
        else this.#outcome(effect, { key, transaction, hear });
      },
    });
    // The inputs are those of either kind of machine; only an INVITE's reach this one.
    transaction.receive = (input) => (run as Receiving).receive(input);
    return transaction;
  }

  #runOther({ request, branch, destination, reliable }: Attempt, hear: Hear): Transaction {
    const key = clientKey(request.method, branch);
    const transaction: Transaction = { receive: ignore, source: undefined };
    this.#transactions.set(key, transaction);
    const sender: Sender = { failed: () => run.receive({ is: "transportFailed" }) };
    const run = new Run({
      table: client.table,
      begin: client.begin({ octets: printMessage(request), reliable }),
      clock: this.#parts.clock,
      perform: (effect) => {
        if (effect.do === "send") this.#parts.carry(effect.octets, destination, sender);
        else this.#outcome(effect, { key, transaction, hear });
      },
    });
    transaction.receive = (input) => (run as Receiving).receive(input);
    return transaction;
  }

  #outcome(effect: Told, { key, transaction, hear }: { key: string; transaction: Transaction; hear: Hear }) {
    if (effect.do === "finish") this.#transactions.delete(key);
    else if (effect.do === "report") hear({ is: effect.failure });
    // A response in hand has a source: `take` set it.
    else hear({ is: effect.is, response: effect.response, source: transaction.source! });
  }

  #tell(hear: Hear, outcome: Outcome) {
    this.#parts.attempt(() => hear(outcome));
  }
}

type Stamped = { request: Request; branch: string; reliable: boolean };
type Attempt = Stamped & { destination: Destination };
type Told = Extract<inviteClient.Effect, { do: "pass" | "report" | "finish" }>;

/** With our Via on top, and a Max-Forwards. */
function stamped(request: Request, door: Transport, branch: string): Stamped {
  const { host, port } = door.sentBy;
  const via = `SIP/2.0/${door.name.toUpperCase()} ${host}:${port};rport;branch=${branch}`;
  const headers: Header[] = [{ name: "Via", value: via }];
  if (headerOf(request, "Max-Forwards") === undefined) headers.push({ name: "Max-Forwards", value: "70" });
  for (const header of request.headers) headers.push(header);
  return { request: { ...request, headers }, branch, reliable: door.reliable };
}

// RFC 3263 §4.3.
function isWorthAnotherServer(outcome: Outcome): boolean {
  if (outcome.is === "failure") return outcome.response.status === 503;
  return outcome.is === "timeout" || outcome.is === "unreachable";
}

function kindOf(status: number): "provisional" | "success" | "failure" {
  if (status < 200) return "provisional";
  return status < 300 ? "success" : "failure";
}

function ignore(): void {}
