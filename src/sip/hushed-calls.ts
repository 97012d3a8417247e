// Calls that another process or machine goes on with from now on: of these nothing is heard or said here.

import type { Message, Octets } from "./message/message.ts";
import { isAboutCall, isOfCall } from "./strays.ts";

const CALL_ID = /\r\nCall-ID: ([^\r]*)\r\n/;

export class HushedCalls {
  #isEvery = false;
  /** With who wants it: the same call may leave, come back and leave again. */
  readonly #calls = new Map<string, symbol>();

  all(): void {
    this.#isEvery = true;
  }

  /** Call what is returned when it is over, or back. */
  add(sipCallId: string): () => void {
    const own = Symbol(sipCallId);
    this.#calls.set(sipCallId, own);
    return () => {
      if (this.#calls.get(sipCallId) === own) this.#calls.delete(sipCallId);
    };
  }

  isOf(message: Message): boolean {
    if (this.#isEvery && isOfCall(message)) return true;
    if (this.#calls.size === 0) return false;
    const found = message.headers.find(({ name }) => name.toLowerCase() === "call-id");
    return found !== undefined && this.#calls.has(found.value);
  }

  /** Of what is sent, by its text. */
  isAbout(octets: Octets): boolean {
    if (this.#isEvery && isAboutCall(octets)) return true;
    return this.#calls.size > 0 && this.#calls.has(CALL_ID.exec(octets)?.[1] ?? "");
  }
}
