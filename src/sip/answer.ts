// A 2xx to an INVITE until its ACK is here.

import type { Clock } from "../clock.ts";
import { Machine, type ReportUnexpected } from "../machine.ts";
import { callIdOf, toOf } from "./headers/addresses.ts";
import { cseqOf } from "./headers/cseq.ts";
import { tagOf } from "./headers/name-address.ts";
import type { AckHandle, Acknowledging, IsAckOf } from "./incoming.ts";
import type { Message, Octets, Request } from "./message/message.ts";
import * as acceptance from "./transaction/acceptance.ts";
import type { Destination, Source } from "./transport/transport.ts";

type AnswerParts = {
  clock: Clock;
  carry(octets: Octets, destination: Destination): void;
  attempt(act: () => void): void;
  unexpected: ReportUnexpected;
  acknowledged(key: string): void;
};

/** What a 2xx and its ACK have in common. */
export function answerKey(message: Message): string {
  return `${callIdOf(message)} ${tagOf(toOf(message)) ?? ""} ${cseqOf(message).number}`;
}

/** A 2xx to an INVITE, on its way until the ACK. */
export class Answer {
  readonly onAck: AckHandle | undefined;
  readonly #parts: AnswerParts;
  readonly #key: string;
  readonly #replyTo: Destination;
  readonly #isAckOf: IsAckOf | undefined;
  readonly #run: Machine<acceptance.State, acceptance.Input, acceptance.Effect>;

  constructor(parts: AnswerParts, what: Acknowledging & { key: string; octets: Octets; replyTo: Destination }) {
    this.#parts = parts;
    this.#key = what.key;
    this.#replyTo = what.replyTo;
    this.onAck = what.onAck;
    this.#isAckOf = what.isAckOf;
    const { clock } = parts;
    this.#run = new Machine(acceptance.table, acceptance.begin(what.octets), clock, this);
  }

  /** Whether it comes from whoever was answered. */
  isOf(ack: Request, source: Source): boolean {
    return this.#isAckOf?.(ack, source) !== false;
  }

  acknowledge(): void {
    this.#run.receive({ is: "ack" });
  }

  perform(effect: Exclude<acceptance.Effect, { do: "start" }>): void {
    const { carry, attempt, acknowledged } = this.#parts;
    if (effect.do === "send") carry(effect.octets, this.#replyTo);
    else if (effect.do === "finish") acknowledged(this.#key);
    else attempt(() => this.onAck?.("never"));
  }

  unexpected(state: string, input: string): void {
    this.#parts.unexpected({ machine: "acceptance", state, input });
  }
}
