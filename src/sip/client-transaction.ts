// One client transaction as a small object: its machine, its place in the table, and who hears of its outcome.

import type { Clock } from "../clock.ts";
import { Machine, type ReportUnexpected } from "../machine.ts";
import { type KeptAsked, withoutConnection } from "./kept-invite.ts";
import type { Octets, Request, Response } from "./message/message.ts";
import { printMessage } from "./message/print.ts";
import * as client from "./transaction/client.ts";
import * as inviteClient from "./transaction/invite-client.ts";
import { clientKey } from "./transaction/key.ts";
import type { Destination, Sender, Source } from "./transport/transport.ts";

export type Outcome =
  /** An INVITE may succeed more than once: each fork that answers is told, and told once. */
  | { is: "provisional" | "success" | "failure"; response: Response; source: Source }
  /** `why` in the system's own code, where it has one. */
  | { is: "timeout" | "unreachable"; why?: string | undefined };

export type TransactionParts = {
  readonly clock: Clock;
  carry(octets: Octets, destination: Destination, sender?: Sender): void;
  remember(key: string, transaction: ClientTransaction): void;
  forget(key: string): void;
  readonly unexpected: ReportUnexpected;
};

/**
 * The request has its Via, whose branch is this one. `patienceMs`: how long an answer to anything but INVITE is awaited.
 * `before`: an earlier process has sent it, and may have heard of it.
 */
export type Attempt = {
  request: Request;
  branch: string;
  destination: Destination;
  reliable: boolean;
  patienceMs?: number | undefined;
  before?: { heard: boolean } | undefined;
};

type Effect = Exclude<inviteClient.Effect, { do: "start" }>;
type Input = inviteClient.Input | client.Input;

export class ClientTransaction implements Sender {
  readonly #parts: TransactionParts;
  readonly #branch: string;
  readonly #isInvite: boolean;
  readonly #method: string;
  #destination: Destination;
  readonly #reliable: boolean;
  readonly #owner: { heard(outcome: Outcome): void };
  readonly #run:
    | Machine<inviteClient.State, inviteClient.Input, inviteClient.Effect>
    | Machine<client.State, client.Input, client.Effect>;
  #why: string | undefined;
  /** Of the response in hand. */
  #source: Source | undefined;

  constructor(parts: TransactionParts, attempt: Attempt, owner: { heard(outcome: Outcome): void }) {
    const { request, branch, destination, reliable, patienceMs, before } = attempt;
    const { clock } = parts;
    this.#parts = parts;
    this.#owner = owner;
    this.#branch = branch;
    this.#destination = destination;
    this.#reliable = reliable;
    this.#method = request.method;
    this.#isInvite = request.method === "INVITE";
    parts.remember(clientKey(this.#method, branch), this);
    const octets = printMessage(request);
    const invite = { request, octets, reliable };
    const begin = before ? inviteClient.beginAgain(invite, before) : inviteClient.begin(invite);
    this.#run = this.#isInvite
      ? new Machine(inviteClient.table, begin, clock, this)
      : new Machine(client.table, client.begin({ octets, reliable, patienceMs }), clock, this);
  }

  take(response: Response, source: Source): void {
    this.#source = source;
    this.#receive({ is: kindOf(response.status), response });
    this.#source = undefined;
  }

  /** Undefined once it is answered or taken back. */
  keep(): KeptAsked | undefined {
    const kept = this.#isInvite ? inviteClient.unanswered(this.#run.state() as inviteClient.State) : undefined;
    const { octets: invite, heard } = kept ?? {};
    if (invite === undefined || heard === undefined) return undefined;
    return { invite, heard, branch: this.#branch, destination: withoutConnection(this.#destination) };
  }

  /** From now on it is reached there. */
  follow(destination: Destination): void {
    this.#destination = destination;
  }

  cancel(reason: string | undefined): void {
    if (this.#isInvite) this.#receive({ is: "cancel", reason });
  }

  failed(why?: string): void {
    this.#why = why;
    this.#receive({ is: "transportFailed" });
  }

  perform(effect: Effect): void {
    if (effect.do === "send") this.#parts.carry(effect.octets, this.#destination, this);
    else if (effect.do === "finish") this.#parts.forget(clientKey(this.#method, this.#branch));
    else if (effect.do === "report") this.#owner.heard({ is: effect.failure, why: this.#why });
    else if (effect.do === "cancel") this.#sendCancel(effect.request);
    // A response in hand has a source: `take` has set it.
    else this.#owner.heard({ is: effect.is, response: effect.response, source: this.#source! });
  }

  unexpected(state: string, input: string): void {
    const machine = this.#isInvite ? "INVITE client transaction" : "client transaction";
    this.#parts.unexpected({ machine, state, input });
  }

  // The INVITE tells how it ended; of the CANCEL itself nobody needs to hear.
  #sendCancel(request: Request) {
    const attempt = { request, branch: this.#branch, destination: this.#destination, reliable: this.#reliable };
    new ClientTransaction(this.#parts, attempt, NOBODY);
  }

  // Each sender of inputs knows which of the two kinds of transaction it speaks to.
  #receive(input: Input) {
    (this.#run as { receive(input: Input): void }).receive(input);
  }
}

const NOBODY = { heard() {} };

function kindOf(status: number): "provisional" | "success" | "failure" {
  if (status < 200) return "provisional";
  return status < 300 ? "success" : "failure";
}
