// A 2xx to an INVITE until its ACK is here.

import type { Clock } from "../clock.ts";
import { Machine, type ReportUnexpected } from "../machine.ts";
import { callIdOf, toOf } from "./headers/addresses.ts";
import { cseqOf } from "./headers/cseq.ts";
import { tagOf } from "./headers/name-address.ts";
import type { AckHandle, Acknowledging } from "./incoming.ts";
import type { Message, Octets, Request } from "./message/message.ts";
import * as acceptance from "./transaction/acceptance.ts";
import type { Destination, Source } from "./transport/transport.ts";

/** What it is one of. */
type Answering = {
  readonly parts: {
    clock: Clock;
    carry(octets: Octets, destination: Destination): void;
    attempt(act: () => void): void;
    unexpected: ReportUnexpected;
  };
  acknowledged(key: string): void;
};

type Said = { key: string; octets: Octets; replyTo: Destination; acknowledging: Acknowledging };

/** What a 2xx and its ACK have in common. */
export function answerKey(message: Message): string {
  return `${callIdOf(message)} ${tagOf(toOf(message)) ?? ""} ${cseqOf(message).number}`;
}

/** A 2xx to an INVITE, on its way until the ACK. */
export class Answer {
  readonly #answering: Answering;
  readonly #key: string;
  readonly #replyTo: Destination;
  readonly #acknowledging: Acknowledging;
  readonly #run: Machine<acceptance.State, acceptance.Input, acceptance.Effect>;

  constructor(answering: Answering, { key, octets, replyTo, acknowledging }: Said) {
    this.#answering = answering;
    this.#key = key;
    this.#replyTo = replyTo;
    this.#acknowledging = acknowledging;
    const { clock } = answering.parts;
    this.#run = new Machine(acceptance.table, acceptance.begin(octets), clock, this);
  }

  get onAck(): AckHandle | undefined {
    return this.#acknowledging.onAck;
  }

  /** Whether it comes from whoever was answered. */
  isOf(ack: Request, source: Source): boolean {
    return this.#acknowledging.isAckOf?.(ack, source) !== false;
  }

  acknowledge(): void {
    this.#run.receive({ is: "ack" });
  }

  perform(effect: Exclude<acceptance.Effect, { do: "start" }>): void {
    const { carry, attempt } = this.#answering.parts;
    if (effect.do === "send") carry(effect.octets, this.#replyTo);
    else if (effect.do === "finish") this.#answering.acknowledged(this.#key);
    else attempt(() => this.onAck?.("never"));
  }

  unexpected(state: string, input: string): void {
    this.#answering.parts.unexpected({ machine: "acceptance", state, input });
  }
}
