// What a phone has said of itself that it can do.

import { allowOf } from "../../sip/headers/token-lists.ts";
import type { Message } from "../../sip/message/message.ts";

export type Known = { knowsUpdate: boolean; knowsInfo: boolean };

export class Abilities {
  #known: Known;

  constructor({ knowsUpdate = false, knowsInfo = false }: Partial<Known> = {}) {
    this.#known = { knowsUpdate, knowsInfo };
  }

  known(): Known {
    return this.#known;
  }

  note(message: Message): void {
    const methods = allowOf(message);
    if (methods.length === 0) return;
    this.#known = { knowsUpdate: methods.includes("UPDATE"), knowsInfo: methods.includes("INFO") };
  }
}
