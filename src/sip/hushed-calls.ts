// Calls that another machine goes on with from now on: of these nothing is heard or said here.

import type { Message, Octets } from "./message/message.ts";

const CALL_ID = /\r\nCall-ID: ([^\r]*)\r\n/;

export class HushedCalls {
  /** With who wants it: the same call may leave, come back and leave again. */
  readonly #calls = new Map<string, symbol>();

  /** Call what is returned when it is over, or back. */
  add(sipCallId: string): () => void {
    const own = Symbol(sipCallId);
    this.#calls.set(sipCallId, own);
    return () => {
      if (this.#calls.get(sipCallId) === own) this.#calls.delete(sipCallId);
    };
  }

  isOf({ headers }: Message): boolean {
    if (this.#calls.size === 0) return false;
    const found = headers.find(({ name }) => name.toLowerCase() === "call-id");
    return found !== undefined && this.#calls.has(found.value);
  }

  /** Of what is sent, by its text. */
  isAbout(octets: Octets): boolean {
    if (this.#calls.size === 0) return false;
    return this.#calls.has(CALL_ID.exec(octets)?.[1] ?? "");
  }
}
