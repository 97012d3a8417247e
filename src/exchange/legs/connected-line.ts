// Whom a phone shows as its other side: known from the call that came, told with the answer, and changed while it lasts (RFC 3325, RFC 3311).

import type { Cancel, Clock } from "../../clock.ts";
import { ANONYMOUS, privacy } from "../../sip/headers/privacy.ts";
import type { Header } from "../../sip/message/message.ts";
import type { KeptShown } from "../calls/kept-leg.ts";
import { isSameAddress } from "../calls/shown.ts";

export type ConnectedLineParts = {
  clock: Clock;
  /** Answered: only then can anything be told beside the answer. */
  isUp(): boolean;
  /** Something else is being changed just now. */
  isBusy(): boolean;
  tell(headers: Header[]): void;
  /** Whom it meets first it knows already: it called for him, or was called by him. */
  knowsFirst: boolean;
};

/** A phone that is changing its call is told a moment later. */
const LATER_MS = 500;

export class ConnectedLine {
  readonly #parts: ConnectedLineParts;
  #shown: string | undefined;
  #headers: Header[] | undefined;
  #cancel: Cancel = () => undefined;

  /** `shown` is what it shows to begin with; unknown for one that has dialled. */
  constructor(parts: ConnectedLineParts, shown: KeptShown) {
    this.#parts = parts;
    this.#shown = shown.address;
    this.#headers = shown.headers;
  }

  keep(): KeptShown {
    return { address: this.#shown, headers: this.#headers };
  }

  /** `headers` say it, where they are not those for a phone. */
  meet(address: string, headers?: Header[]): void {
    const isFirst = this.#shown === undefined;
    if (this.#shown !== undefined && isSameAddress(this.#shown, address)) return;
    this.#shown = address;
    this.#headers = headers;
    if (this.#parts.isUp() && !(isFirst && this.#parts.knowsFirst)) this.#tell();
  }

  /** For our answer to whoever called. */
  headers(): Header[] {
    if (this.#headers || this.#shown === undefined) return this.#headers ?? [];
    const identity = { name: "P-Asserted-Identity", value: this.#shown };
    return this.#shown === ANONYMOUS ? [identity, privacy("id")] : [identity];
  }

  stop(): void {
    this.#cancel();
  }

  #tell(): void {
    this.#cancel();
    if (this.#parts.isBusy()) this.#cancel = this.#parts.clock.after(LATER_MS, () => this.#tell());
    else this.#parts.tell(this.headers());
  }
}
