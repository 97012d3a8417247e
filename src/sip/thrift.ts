// Answers to somebody who may be somewhere else than his datagrams say: no larger than what was asked, or none.

import type { Octets, Response } from "./message/message.ts";
import { printMessage } from "./message/print.ts";
import type { Source } from "./transport/transport.ts";

export type ThriftOptions = {
  /** Whoever is there gets what is sent to him there. */
  isProved?: ((source: Source) => boolean) | undefined;
  /** One of the few larger answers that a stranger may have all the same. */
  favour?: ((source: Source) => boolean) | undefined;
};

/** `size`: of the datagram; undefined where a connection shows that the sender is there. */
export type AskedBy = { source: Source; size: number | undefined };

/** Without these no answer finds its way, or is of any use. */
const NEEDED = new Set(["Via", "From", "To", "Call-ID", "CSeq", "WWW-Authenticate"]);

export class Thrift {
  readonly #options: ThriftOptions;

  constructor(options: ThriftOptions) {
    this.#options = options;
  }

  /** Undefined: nothing small enough can be said. */
  printed(response: Response, asked: AskedBy): Octets | undefined {
    const whole = printMessage(response);
    if (this.#mayHave(whole.length, asked)) return whole;
    const most = asked.size ?? 0;
    const headers = response.headers.filter(({ name }) => NEEDED.has(name));
    const bare = printMessage({ ...response, headers, body: "" });
    if (bare.length <= most) return bare;
    const isLater = ({ name }: { name: string }, at: number) =>
      name === "WWW-Authenticate" && headers.findIndex((it) => it.name === name) < at;
    const least = printMessage({ ...response, headers: headers.filter((it, at) => !isLater(it, at)), body: "" });
    if (least.length <= most) return least;
    return isChallenge(response) && this.#favours(asked) ? bare : undefined;
  }

  /** Of what was said before: no favour is done twice. */
  mayRepeat(octets: Octets, asked: AskedBy): boolean {
    return this.#mayHave(octets.length, asked);
  }

  /** Of what is no SIP message. */
  maySend(octets: Octets, asked: AskedBy): boolean {
    return this.#mayHave(octets.length, asked) || this.#favours(asked);
  }

  /** Whoever asked may be somewhere else. */
  isForStranger({ source, size }: AskedBy): boolean {
    return size !== undefined && this.#options.isProved?.(source) === false;
  }

  #mayHave(length: number, asked: AskedBy): boolean {
    return asked.size === undefined || length <= asked.size || !this.isForStranger(asked);
  }

  #favours({ source }: AskedBy): boolean {
    return this.#options.favour?.(source) === true;
  }
}

/** Whoever asks in few words would else never be let in. An INVITE has many. */
function isChallenge({ status, headers }: Response): boolean {
  return status === 401 && !headers.some(({ name, value }) => name === "CSeq" && value.endsWith("INVITE"));
}
