// The server side of the stack: every request we were sent, until its transaction is over.

import type { Clock } from "../clock.ts";
import type { ReportUnexpected } from "../machine.ts";
import { Answer, answerKey } from "./answer.ts";
import type { Random } from "./headers/random.ts";
import { topViaOf, type Via } from "./headers/via.ts";
import { type Acknowledging, type Incoming, IncomingRequest } from "./incoming.ts";
import { type KeptTaken, requestIn } from "./kept-invite.ts";
import type { LostCalls } from "./lost-calls.ts";
import type { Octets, Request, Response } from "./message/message.ts";
import { PassedOn } from "./passed-on.ts";
import { type Asked, isRepeat } from "./repeats.ts";
import { type Arrival, ServerTransaction } from "./server-transaction.ts";
import type { LookAgain } from "./stack-options.ts";
import type { Thrift } from "./thrift.ts";
import { serverKey } from "./transaction/key.ts";
import { replyDestination } from "./transport/destination.ts";
import { speakerOf } from "./transport/speaker.ts";
import type { Destination, Sender, Source } from "./transport/transport.ts";

export type ServerParts = {
  clock: Clock;
  random: Random;
  carry(octets: Octets, destination: Destination, sender?: Sender): void;
  deliver(incoming: Incoming, early: LookAgain | undefined): void;
  /** Runs what may hold somebody's mistake; the stack outlives it. */
  attempt(act: () => void): void;
  unexpected: ReportUnexpected;
  lost: LostCalls;
  thrift: Pick<Thrift, "printed" | "mayRepeat" | "isForStranger">;
  isSamePeer?: ((one: Source, other: Source) => boolean) | undefined;
  mayTakeBack?: ((source: Source, invite: Pick<Incoming, "request" | "source">) => boolean) | undefined;
  guard?: ((source: Source) => "pass" | "drop") | undefined;
};

export class Server {
  readonly #parts: ServerParts;
  readonly #transactions = new Map<string, ServerTransaction>();
  readonly #passedOn = new PassedOn<ServerTransaction>();
  /** 2xx to INVITEs that wait for their ACK. */
  readonly #answered = new Map<string, Answer>();

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  get transactions(): number {
    return this.#transactions.size;
  }

  get unacknowledged(): number {
    return this.#answered.size;
  }

  /** What became of a request that belongs to a transaction we have; undefined when there is none. */
  repeats(key: string, again: Asked): "repeats" | "unanswered" | "dropped" | undefined {
    const known = this.#transactions.get(key);
    if (!known) return undefined;
    if (!isRepeat(again, known.asked, this.#parts.isSamePeer) || !this.#isHeard(again)) return "dropped";
    return known.repeatTo(again) ? "repeats" : "unanswered";
  }

  /** At the door only the edge was seen. */
  #isHeard({ source }: Asked): boolean {
    return source.client === undefined || this.#parts.guard?.(source) !== "drop";
  }

  take(arrival: Arrival): void {
    const { request } = arrival;
    const incoming = this.#open(arrival);
    if (request.method === "CANCEL") this.#cancel(arrival, incoming);
    else this.#parts.deliver(incoming, arrival.early);
  }

  /** An INVITE that an earlier process took. */
  goOn({ invite, source, key, localTag, last }: KeptTaken): Incoming {
    const request = requestIn(invite);
    const via = topViaOf(request);
    const replyTo = replyDestination(via, source);
    const reliable = source.transport !== "udp";
    const before = { last, localTag };
    return this.#open({ request, source, via, key, replyTo, reliable, before });
  }

  #open(arrival: Arrival): IncomingRequest {
    const { request, source, key } = arrival;
    const transaction = new ServerTransaction(this, arrival);
    const incoming = new IncomingRequest(request, source, this.#parts.random, transaction);
    transaction.owner = incoming;
    transaction.passedOnAs = this.#passedOn.add(request, transaction);
    this.#transactions.set(key, transaction);
    return incoming;
  }

  /**
   * True when this is the first ACK of a 2xx and nobody but the dialog's owner has a use for it. One from elsewhere than
   * the caller is passed over, as if it had not come: nobody can be asked to prove himself here.
   */
  takeAck(ack: Request, key: string, source: Source): boolean {
    const refused = this.#transactions.get(key);
    if (refused && this.#isOnItsWay(source, refused.asked.replyTo)) refused.receive({ is: "ack" });
    const answered = this.#answered.get(answerKey(ack));
    if (!answered?.isOf(ack, source)) return false;
    answered.acknowledge();
    const { onAck } = answered;
    if (onAck) this.#parts.attempt(() => onAck(ack));
    return onAck === undefined;
  }

  get parts(): ServerParts {
    return this.#parts;
  }

  forget(key: string): void {
    const transaction = this.#transactions.get(key);
    if (transaction?.passedOnAs !== undefined) this.#passedOn.remove(transaction.passedOnAs, transaction);
    this.#transactions.delete(key);
  }

  /** A 2xx has gone out: it is sent again until its ACK is here. */
  awaitAck(response: Response, octets: Octets, replyTo: Destination, acknowledging: Acknowledging): void {
    const key = answerKey(response);
    this.#answered.set(key, new Answer(this, { key, octets, replyTo, acknowledging }));
  }

  acknowledged(key: string): void {
    this.#answered.delete(key);
  }

  #cancel(arrival: Arrival, cancel: IncomingRequest) {
    if (!this.#takeBack(arrival, cancel)) this.#parts.lost.take(cancel, () => this.#takeBack(arrival, cancel));
  }

  /**
   * A CANCEL of no INVITE, or one that does not come from where its INVITE came from: nobody can be asked to prove himself
   * here. Nothing may be kept of it, or the caller's own would be taken for its repeat.
   */
  takesBackNothing(cancel: Request, via: Via, source: Source): boolean {
    const invite = this.#takenBackBy(cancel, via);
    if (!invite) return this.#parts.lost.isNobodys(cancel, source);
    return invite.owner !== undefined && !this.#isFromSame(source, invite.owner);
  }

  #takenBackBy(cancel: Request, via: Via): ServerTransaction | undefined {
    return this.#transactions.get(serverKey(cancel, via, "INVITE")) ?? this.#passedOn.find(cancel, via);
  }

  /** False: there is no such INVITE. */
  #takeBack({ request, via, replyTo }: Arrival, cancel: IncomingRequest): boolean {
    const invite = this.#takenBackBy(request, via);
    if (!invite) return false;
    const { owner } = invite;
    // Who comes back over another connection than his INVITE is there, and nowhere else.
    if (replyTo.connection !== undefined) invite.follow(replyTo);
    cancel.reply(200, owner && { toTag: owner.localTag });
    if (owner) this.#parts.attempt(() => owner.cancelled(request));
    return true;
  }

  /** By its address: a translator of addresses may have chosen another port. An edge has looked at what it passes on as it came. */
  #isFromSame(source: Source, invite: IncomingRequest): boolean {
    const { source: before } = invite;
    const { address } = speakerOf(source);
    const isEdges = before.client !== undefined && source.client === undefined && source.address === before.address;
    if (isEdges || address === speakerOf(before).address) return true;
    if (source.connection !== undefined && source.connection === before.connection) return true;
    return this.#parts.mayTakeBack?.(source, invite) === true;
  }

  /** The ACK of a refusal comes by the way that the refusal went. */
  #isOnItsWay({ client: _, ...hop }: Source, { address, connection }: Destination): boolean {
    if (hop.address === address || (connection !== undefined && hop.connection === connection)) return true;
    return this.#parts.isSamePeer?.(hop, { ...hop, address }) === true;
  }
}
