// The SIP stack: transports below, transactions inside, owners of requests and dialogs above.

import { AtOnce } from "./at-once.ts";
import { Client, type Hear, type Outcome, type Outgoing, type Patience } from "./client.ts";
import { type Counters, type Load, noCounts } from "./counters.ts";
import { type DialogId, Dialogs, type Handle } from "./dialogs.ts";
import { EarlyRequests } from "./early-requests.ts";
import { toOf } from "./headers/addresses.ts";
import { cseqOf } from "./headers/cseq.ts";
import { tagOf } from "./headers/name-address.ts";
import { goesFurther, stampTopVia, topViaOf, type Via } from "./headers/via.ts";
import { HushedCalls } from "./hushed-calls.ts";
import { type Incoming, IncomingRequest, SILENCE } from "./incoming.ts";
import { isKeepAlive } from "./keepalive/line-ends.ts";
import { isStun } from "./keepalive/stun.ts";
import type { KeptAsked, KeptTaken } from "./kept-invite.ts";
import { LostCalls } from "./lost-calls.ts";
import type { Octets, Request, Response } from "./message/message.ts";
import { printMessage } from "./message/print.ts";
import { type Parsed, parseMessage, type Refused } from "./reading/parse.ts";
import { Server } from "./server.ts";
import { type LookAgain, STACK_LIMITS, type StackLimits, type StackOptions } from "./stack-options.ts";
import { Strays } from "./strays.ts";
import { type AskedBy, Thrift } from "./thrift.ts";
import { clientKey, sentKey, serverKey } from "./transaction/key.ts";
import { sharedTimers } from "./transaction/shared-timers.ts";
import { replyDestination } from "./transport/destination.ts";
import { doorTo } from "./transport/door-to.ts";
import { behindEdge } from "./transport/speaker.ts";
import type { Destination, Sender, Source, Transport } from "./transport/transport.ts";

export type Stack = {
  /** Takes every request outside a dialog. */
  onRequest(handle: Handle): void;
  /** Takes every request inside this dialog, until the returned function is called. */
  own(dialog: DialogId, handle: Handle): () => void;
  /** The destinations are tried in order while servers are down. */
  send(request: Request, to: Destination | readonly Destination[], hear: Hear, patience?: Patience): Outgoing;
  /** For requests other than INVITE: the final outcome. */
  ask(request: Request, to: Destination | readonly Destination[], patience?: Patience): Promise<Outcome>;
  /** Goes on with an INVITE that an earlier process sent, or took. */
  goOnAsking(kept: KeptAsked, hear: Hear): Outgoing;
  goOnTaking(kept: KeptTaken): Incoming;
  /** The door a message to there would leave by: `sentByTo` of it is what our Contact should say. */
  doorTo(destination: Destination): Transport | undefined;
  readonly counters: Readonly<Counters>;
  load(): Load;
  /** Kept once every message that has come is read: under a flood that is never. */
  emptied(): Promise<void>;
  /** Every call of an earlier process that can be gone on with has its owner again: what waited for one is delivered. */
  releaseStrays(): void;
  /** Of calls nothing is heard or said any more: whoever comes next does. */
  hush(): void;
  /** The same of one call, until what is returned is called. */
  hushCall(sipCallId: string): () => void;
  close(): Promise<void>;
};

export function openStack(options: StackOptions): Stack {
  return new SipStack(options);
}

class SipStack implements Stack {
  readonly counters = noCounts();
  readonly #options: StackOptions;
  readonly #limits: StackLimits;
  readonly #dialogs = new Dialogs();
  readonly #serverSide: Server;
  readonly #client: Client;
  readonly #strays: Strays;
  readonly #lost: LostCalls;
  readonly #early: EarlyRequests;
  readonly #atOnce: AtOnce;
  #handle: Handle = (incoming) => void incoming.reply(503);
  readonly #stopTimers: () => void;
  readonly #hushed = new HushedCalls();
  #closed = false;

  constructor(options: StackOptions) {
    const { random, transports, unexpected = () => undefined } = options;
    const clock = sharedTimers(options.clock);
    this.#stopTimers = clock.stop;
    this.#options = options;
    this.#limits = { ...STACK_LIMITS, ...options.limits };
    this.#strays = new Strays(options.holdsStrays === true);
    const carry = this.#carry.bind(this);
    const shared = { clock, random, carry, attempt: this.#attempt.bind(this), unexpected };
    this.#lost = new LostCalls({ clock, seek: options.seek });
    this.#early = new EarlyRequests({ clock, hand: (incoming) => this.#deliver(incoming) });
    const thrift = new Thrift(options);
    this.#atOnce = new AtOnce({ random, thrift, counters: this.counters, carry, doorTo: this.doorTo });
    const { isSamePeer, mayTakeBack, guard } = options;
    const above = { deliver: this.#deliver.bind(this), lost: this.#lost, thrift, isSamePeer, mayTakeBack, guard };
    this.#serverSide = new Server({ ...shared, ...above });
    this.#client = new Client({ ...shared, doorTo: this.doorTo });
    for (const transport of transports) {
      transport.start({
        guard: (source) => this.#guard(source),
        knows: (source) => options.knows?.(source) === true,
        isProved: (source) => options.isProved?.(source) === true,
        receive: (octets, source) => this.#receive(octets, source),
        receiveParsed: (parsed, source) => this.#receiveParsed(parsed, source),
        undelivered: (octets) => this.#undelivered(octets),
        gone: (connection) => options.gone?.(connection),
        refused: (what) => void this.counters[what]++,
      });
    }
  }

  onRequest(handle: Handle): void {
    this.#handle = handle;
  }
  own = (dialog: DialogId, handle: Handle): (() => void) => this.#dialogs.own(dialog, handle);
  send(request: Request, to: Destination | readonly Destination[], hear: Hear, patience?: Patience): Outgoing {
    return this.#client.send(request, "transport" in to ? [to] : to, hear, patience);
  }

  goOnAsking = (kept: KeptAsked, hear: Hear): Outgoing => this.#client.goOn(kept, hear);
  goOnTaking = (kept: KeptTaken): Incoming => this.#serverSide.goOn(kept);
  ask(request: Request, to: Destination | readonly Destination[], patience?: Patience): Promise<Outcome> {
    return this.#client.ask(request, "transport" in to ? [to] : to, patience);
  }

  doorTo = (destination: Destination): Transport | undefined => doorTo(this.#options.transports, destination);

  load(): Load {
    let connections = 0;
    for (const transport of this.#options.transports) connections += transport.connections();
    return {
      clientTransactions: this.#client.transactions,
      serverTransactions: this.#serverSide.transactions,
      unacknowledged: this.#serverSide.unacknowledged,
      dialogs: this.#dialogs.size,
      connections,
    };
  }

  async emptied(): Promise<void> {
    await Promise.all(this.#options.transports.map((transport) => transport.emptied?.()));
  }

  releaseStrays(): void {
    this.#strays.release((message, source) => this.#take({ message }, source));
  }

  hush = (): void => this.#hushed.all();
  hushCall = (sipCallId: string): (() => void) => this.#hushed.add(sipCallId);
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopTimers();
    await Promise.all(this.#options.transports.map((transport) => transport.close()));
  }

  #guard(source: Source): "pass" | "drop" {
    const verdict = this.#options.guard?.(source) ?? "pass";
    if (verdict === "drop") this.counters.dropped++;
    return verdict;
  }

  #receive(octets: Octets, source: Source) {
    if (this.#guard(source) === "drop") return;
    if (isKeepAlive(octets)) return;
    const size = source.transport === "udp" ? octets.length : undefined;
    if (isStun(octets)) return this.#atOnce.stun(octets, { source, size });
    if (this.#options.observe) this.#observe("in", source, () => octets);
    this.#take(parseMessage(octets, this.#limits.message), source, size);
  }

  #receiveParsed(parsed: Parsed, source: Source) {
    if (this.#guard(source) === "drop") return;
    if (this.#options.observe)
      this.#observe("in", source, () => ("message" in parsed ? printMessage(parsed.message) : `(${parsed.malformed})`));
    this.#take(parsed, source);
  }

  /** Nobody but us and whoever it went to knows its branch, so nobody else can say that it came back. */
  #undelivered(octets: Octets) {
    const key = sentKey(octets);
    if (key !== undefined) this.#client.undelivered(key);
  }

  /** `size`: of a datagram. */
  #take(parsed: Parsed, source: Source, size?: number) {
    this.counters.received++;
    if ("message" in parsed && this.#hushed.isOf(parsed.message)) return;
    try {
      if (!("message" in parsed)) this.#refuse(parsed, { source, size });
      else if (parsed.message.is === "response") this.#takeResponse(parsed.message, source);
      else this.#takeRequest(parsed.message, { source, size });
    } catch (error) {
      this.#mistake(error);
    }
  }

  #takeResponse(response: Response, source: Source) {
    const key = clientKey(cseqOf(response).method, topViaOf(response).branch);
    if (!goesFurther(response) && this.#client.take(response, source, key)) return;
    if (!this.#strays.take(response, source)) this.counters.strayResponses++;
  }

  #takeRequest(request: Request, { source, size }: AskedBy) {
    if (this.#strays.take(request, source)) return;
    const via = topViaOf(request);
    const key = serverKey(request, via);
    const heard = this.#options.isEdge?.(source.address) ? behindEdge(request, source) : source;
    if (request.method === "ACK") return this.#takeAck(request, heard, key);
    const stamped = stampTopVia(request, source);
    const replyTo = replyDestination(topViaOf(stamped), source);
    const repeated = this.#serverSide.repeats(key, { source: heard, size, replyTo });
    if (repeated !== undefined) {
      this.counters[repeated]++;
      return;
    }
    const screened = this.#early.admit(this.#options.screen?.(request, heard) ?? "pass");
    if (screened === "drop") {
      this.counters.dropped++;
      return;
    }
    const back = { replyTo, asked: { source: heard, size } };
    if (typeof screened === "object") return this.#atOnce.reply(stamped, screened.status, back, screened.headers);
    if (this.#serverSide.transactions >= this.#limits.transactions) return this.#atOnce.overload(stamped, back);
    if (this.#isOfNoCall(stamped, heard, via)) return this.#atOnce.reply(stamped, 481, back);
    const [reliable, early] = [source.transport !== "udp", screened === "pass" ? undefined : screened];
    this.#serverSide.take({ request: stamped, source: heard, via, key, replyTo, reliable, size, early });
  }

  /** An INVITE would be answered again and again until its ACK comes, which for a made-up call never does. */
  #isOfNoCall(request: Request, source: Source, via: Via): boolean {
    if (request.method === "CANCEL") return this.#serverSide.takesBackNothing(request, via, source);
    if (request.method !== "INVITE" || tagOf(toOf(request)) === undefined) return false;
    if (this.#dialogs.ownerOf(request) || !this.#lost.isNobodys(request, source)) return false;
    this.counters.strayRequests++;
    return true;
  }

  #takeAck(ack: Request, source: Source, key: string) {
    if (!this.#serverSide.takeAck(ack, key, source)) return;
    // An ACK is never answered, so its answer goes nowhere.
    const incoming = new IncomingRequest(ack, source, this.#options.random, SILENCE);
    if (!this.#hand(incoming, this.#dialogs.ownerOf(ack))) this.counters.strayRequests++;
  }

  #deliver(incoming: Incoming, early?: LookAgain) {
    if (early) return this.#early.take(incoming, early);
    const { request } = incoming;
    // A REGISTER makes no dialog, whatever some phones put into its To.
    const inside = request.method !== "REGISTER" && tagOf(toOf(request)) !== undefined;
    const owner = () => (inside ? this.#dialogs.ownerOf(request) : this.#handle);
    if (this.#hand(incoming, owner())) return;
    this.counters.strayRequests++;
    this.#lost.take(incoming, () => this.#hand(incoming, owner()));
  }

  #hand(incoming: Incoming, owner: Handle | undefined): boolean {
    try {
      owner?.(incoming);
    } catch (error) {
      incoming.reply(500);
      this.#mistake(error);
    }
    return owner !== undefined;
  }

  #refuse(refused: Refused, asked: AskedBy) {
    this.#options.malformed?.(asked.source);
    this.#atOnce.refuse(refused, asked);
  }

  #carry(octets: Octets, destination: Destination, sender?: Sender) {
    if (this.#closed || this.#options.isAsleep?.() || this.#hushed.isAbout(octets)) return;
    const door = this.doorTo(destination);
    if (!door) {
      this.counters.unreachable++;
      return;
    }
    this.counters.sent++;
    if (this.#options.observe) this.#observe("out", destination, () => octets);
    door.send(octets, destination, sender);
  }

  #observe(direction: "in" | "out", peer: Source | Destination, text: () => Octets) {
    const { observe, clock } = this.#options;
    if (observe) this.#attempt(() => observe({ direction, peer, atMs: clock.wall(), text }));
  }

  #attempt(act: () => void) {
    try {
      act();
    } catch (error) {
      this.#mistake(error);
    }
  }

  #mistake(error: unknown) {
    this.counters.mistakes++;
    const { mistake } = this.#options;
    if (!mistake) throw error;
    mistake(error);
  }
}
