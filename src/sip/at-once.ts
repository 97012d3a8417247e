// Answers of which nothing is kept: what asks again is answered again.

import type { Counters } from "./counters.ts";
import { newTag, type Random } from "./headers/random.ts";
import { stampTopVia, topViaOf } from "./headers/via.ts";
import { bindingAnswer } from "./keepalive/stun.ts";
import type { Header, Octets, Request } from "./message/message.ts";
import type { Refused } from "./reading/parse.ts";
import { responseTo } from "./respond.ts";
import type { AskedBy, Thrift } from "./thrift.ts";
import { backTo, replyDestination } from "./transport/destination.ts";
import type { Destination, Transport } from "./transport/transport.ts";

type AtOnceParts = {
  random: Random;
  thrift: Thrift;
  counters: Pick<Counters, "malformed" | "overload" | "unanswered">;
  carry(octets: Octets, destination: Destination): void;
  doorTo(destination: Destination): Transport | undefined;
};

type WayBack = { replyTo: Destination; asked: AskedBy };

export class AtOnce {
  readonly #parts: AtOnceParts;

  constructor(parts: AtOnceParts) {
    this.#parts = parts;
  }

  /** The request with its Via as it came in. */
  reply(request: Request, status: number, { replyTo, asked }: WayBack, headers: Header[] = []): void {
    const { random, thrift, carry, counters } = this.#parts;
    const octets = thrift.printed(responseTo(request, status, { toTag: newTag(random), headers }), asked);
    if (octets === undefined) counters.unanswered++;
    else carry(octets, replyTo);
  }

  refuse({ request, status }: Refused, asked: AskedBy): void {
    this.#parts.counters.malformed++;
    if (!request) return;
    const stamped = stampTopVia(request, asked.source);
    this.reply(stamped, status, { asked, replyTo: replyDestination(topViaOf(stamped), asked.source) });
  }

  overload(request: Request, back: WayBack): void {
    this.#parts.counters.overload++;
    this.reply(request, 503, back, [{ name: "Retry-After", value: "5" }]);
  }

  stun(octets: Octets, asked: AskedBy): void {
    const { thrift, doorTo } = this.#parts;
    const answer = bindingAnswer(octets, asked.source);
    const to = backTo(asked.source);
    if (answer !== undefined && thrift.maySend(answer, asked)) doorTo(to)?.send(answer, to);
  }
}
