// A request as its owner sees it: what was asked, by whom, and the means to answer.

import { newTag, type Random } from "./headers/random.ts";
import { type KeptTaken, withoutConnection } from "./kept-invite.ts";
import type { Octets, Request, Response } from "./message/message.ts";
import { printMessage } from "./message/print.ts";
import { type ResponseOptions, responseTo } from "./respond.ts";
import type { Destination, Source } from "./transport/transport.ts";

export type Incoming = {
  readonly request: Request;
  readonly source: Source;
  /** The tag that `reply` puts into To, the same in every response to this request. */
  readonly localTag: string;
  /** Provisional responses as many as wanted, then one final one. False when a final one has already gone out. */
  respond(response: Response): boolean;
  /** `responseTo` with the local tag, sent. */
  reply(status: number, options?: ResponseOptions): boolean;
  /** The caller takes an INVITE back. The CANCEL has been answered; the INVITE wants its 487. Unset, it gets one. */
  onCancel(handle: (cancel: Request) => void): void;
  /** What became of a 2xx to an INVITE, which is repeated until then. Unset, the ACK goes to the dialog's owner. */
  onAck(handle: AckHandle): void;
  /** Whose ACK of a 2xx counts; any other is as if it had not come. Unset, that of whoever knows its names. */
  acknowledgedBy(isTheirs: IsAckOf): void;
  /** What we say does not arrive: there is no way to the sender any more. */
  onLost(handle: () => void): void;
  /** What a later process needs to go on with this INVITE; undefined once it is answered. */
  keep(): KeptTaken | undefined;
  /** Says once more what was said last. */
  repeat(): void;
  /** What is said from now on goes there. */
  follow(destination: Destination): void;
};

/** "never": 32 s have passed, and RFC 3261 §13.3.1.4 wants a BYE. */
export type AckHandle = (ack: Request | "never") => void;

export type IsAckOf = (ack: Request, source: Source) => boolean;

/** What becomes of the ACK of a 2xx. */
export type Acknowledging = { onAck: AckHandle | undefined; isAckOf: IsAckOf | undefined };

/** What a request's owner asks of its transaction. */
export type Taking = {
  /** The one that an earlier process chose. */
  localTag?: string | undefined;
  respond(response: Response): void;
  keep?(): Pick<KeptTaken, "key" | "last"> | undefined;
  repeat?(): void;
  follow?(destination: Destination): void;
};

/** Of a request that is never answered. */
export const SILENCE: Taking = { respond() {} };

export class IncomingRequest implements Incoming {
  readonly request: Request;
  readonly source: Source;
  readonly #random: Random;
  readonly #transaction: Taking;
  #localTag: string | undefined;
  #over = false;
  #onCancel: ((cancel: Request) => void) | undefined;
  #onAck: AckHandle | undefined;
  #isAckOf: IsAckOf | undefined;
  #onLost: (() => void) | undefined;

  constructor(request: Request, source: Source, random: Random, transaction: Taking) {
    this.request = request;
    this.source = source;
    this.#random = random;
    this.#transaction = transaction;
    this.#localTag = transaction.localTag;
  }

  get localTag(): string {
    this.#localTag ??= newTag(this.#random);
    return this.#localTag;
  }

  get acknowledging(): Acknowledging {
    return { onAck: this.#onAck, isAckOf: this.#isAckOf };
  }

  respond(response: Response): boolean {
    if (this.#over) return false;
    this.#over = response.status >= 200;
    this.#transaction.respond(response);
    return true;
  }

  reply(status: number, options?: ResponseOptions): boolean {
    return this.respond(responseTo(this.request, status, { toTag: this.localTag, ...options }));
  }

  onCancel(handle: (cancel: Request) => void): void {
    this.#onCancel = handle;
  }

  onAck(handle: AckHandle): void {
    this.#onAck = handle;
  }

  acknowledgedBy(isTheirs: IsAckOf): void {
    this.#isAckOf = isTheirs;
  }

  onLost(handle: () => void): void {
    this.#onLost = handle;
  }

  keep(): KeptTaken | undefined {
    const kept = this.#over ? undefined : this.#transaction.keep?.();
    const { request, localTag } = this;
    return kept && { ...kept, localTag, invite: textOf(request), source: withoutConnection(this.source) };
  }

  repeat(): void {
    this.#transaction.repeat?.();
  }

  follow(destination: Destination): void {
    this.#transaction.follow?.(destination);
  }

  lost(): void {
    this.#onLost?.();
  }

  cancelled(cancel: Request): void {
    if (this.#onCancel) this.#onCancel(cancel);
    else this.reply(487);
  }
}

const PROOFS = new Set(["Authorization", "Proxy-Authorization"]);

/** Without its proof, which has been checked, and which somebody could try passwords on. */
function textOf(request: Request): Octets {
  return printMessage({ ...request, headers: request.headers.filter(({ name }) => !PROOFS.has(name)) });
}
