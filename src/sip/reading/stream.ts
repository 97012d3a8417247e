// Messages out of a stream of octets (TCP, TLS): cut by Content-Length, bounded in memory, linear in time.

import { isMalformed } from "../message/malformed.ts";
import type { Octets } from "../message/message.ts";
import {
  completeMessage,
  type Head,
  LIMITS,
  type Limits,
  type Parsed,
  readHead,
  refuseEndless,
  refuseLine,
} from "./parse.ts";

/** `ping` asks for a CRLF back (RFC 5626 4.4.1). */
export type Framed = Parsed | { ping: "crlf" } | { broken: string };

export type FramingOptions = {
  /** Octets of one message, head and body. */
  maxMessage?: number;
  /** Octets of a head that has not ended yet. */
  maxUnfinished?: number;
};

export type Framing = {
  /** What these octets completed, in order. After `broken` the stream means nothing any more: close it. */
  push(octets: Octets): Framed[];
  /** Octets held for a message that is not complete. */
  held(): number;
};

export function openFraming({ maxMessage = LIMITS.message, maxUnfinished = maxMessage }: FramingOptions = {}): Framing {
  return new StreamFraming({ ...LIMITS, message: maxMessage }, maxUnfinished);
}

const END_OF_HEAD = "\r\n\r\n";

class StreamFraming implements Framing {
  readonly #limits: Limits;
  readonly #maxUnfinished: number;
  #buffer = "";
  /** The last octets of the buffer, where the end of a head may have begun. */
  #tail = "";
  /** The head at the front of the buffer, once it was read; its body is still on the way. */
  #head: (Head & { length: number }) | undefined;
  #broken = false;

  constructor(limits: Limits, maxUnfinished: number) {
    this.#limits = limits;
    this.#maxUnfinished = maxUnfinished;
  }

  held(): number {
    return this.#buffer.length;
  }

  push(octets: Octets): Framed[] {
    const framed: Framed[] = [];
    if (this.#broken) return framed;
    const unfinished = this.#isStillUnfinished(octets);
    this.#buffer += octets;
    if (unfinished) this.#wait(octets, framed);
    else this.#takeAll(framed);
    return framed;
  }

  // Whether a drip of octets changes nothing yet; told without reading the buffer, which would copy it each time.
  #isStillUnfinished(octets: Octets): boolean {
    const { length } = this.#buffer;
    if (this.#head !== undefined) return length + octets.length < this.#head.end + this.#head.length;
    return length > END_OF_HEAD.length && !(this.#tail + octets).includes(END_OF_HEAD);
  }

  #wait(octets: Octets, framed: Framed[]): void {
    this.#tail = lastThree(this.#tail + octets);
    if (this.#head === undefined && this.#buffer.length > this.#maxUnfinished) this.#endless(0, framed);
  }

  #takeAll(framed: Framed[]): void {
    let start = 0;
    while (start < this.#buffer.length) {
      const end = this.#takeOne(start, framed);
      if (end === undefined) break;
      start = end;
    }
    this.#buffer = this.#buffer.slice(start);
    this.#tail = lastThree(this.#buffer);
    if (this.#head !== undefined) this.#head = { ...this.#head, end: this.#head.end - start };
  }

  /** Takes what stands at `start`; the answer is where the next begins, undefined when more octets are needed. */
  #takeOne(start: number, framed: Framed[]): number | undefined {
    const first = this.#buffer.charCodeAt(start);
    if (this.#head === undefined && (first === 13 || first === 10)) return this.#takeBlank(start, framed);
    this.#head ??= this.#takeHead(start, framed);
    if (this.#head === undefined) return undefined;
    const { end: bodyStart, length } = this.#head;
    if (this.#buffer.length < bodyStart + length) return undefined;
    framed.push(completeMessage(this.#head, this.#buffer.slice(bodyStart, bodyStart + length)));
    this.#head = undefined;
    return bodyStart + length;
  }

  #takeBlank(start: number, framed: Framed[]): number | undefined {
    const end = endOfBlank(this.#buffer, start);
    if (end !== undefined && end - start >= END_OF_HEAD.length) framed.push({ ping: "crlf" });
    return end;
  }

  #takeHead(start: number, framed: Framed[]): (Head & { length: number }) | undefined {
    const found = this.#buffer.indexOf(END_OF_HEAD, start);
    const headEnd = found < 0 ? this.#buffer.length : found;
    if (headEnd - start > this.#maxUnfinished) return this.#endless(start, framed);
    if (found < 0) return undefined;
    const head = readHead(this.#buffer, start, this.#limits);
    if (isMalformed(head)) {
      framed.push(head);
      return this.#breakOff(head.malformed, framed);
    }
    const { length } = head;
    if (length === undefined) return this.#refuse(head, { why: "no Content-Length", status: 400 }, framed);
    if (head.end + length - start <= this.#limits.message) return { ...head, length };
    return this.#refuse(head, { why: "message too large", status: 513 }, framed);
  }

  // Without a length nobody can say where the next message begins (18.3), so an answer is the last thing sent.
  #refuse({ line, headers }: Head, { why, status }: { why: string; status: number }, framed: Framed[]): undefined {
    framed.push({ ...refuseLine(line, headers, why), status });
    return this.#breakOff(why, framed);
  }

  #endless(start: number, framed: Framed[]): undefined {
    const refused = refuseEndless(this.#buffer, start, this.#limits);
    if (refused.request) framed.push(refused);
    return this.#breakOff("head too long", framed);
  }

  #breakOff(why: string, framed: Framed[]): undefined {
    this.#broken = true;
    this.#buffer = "";
    this.#head = undefined;
    framed.push({ broken: why });
  }
}

/** Line ends between messages: two are a ping, more are still one, and one alone is somebody's pong. */
function endOfBlank(buffer: Octets, start: number): number | undefined {
  let end = start;
  for (let code = 13; code === 13 || code === 10; code = buffer.charCodeAt(end)) end++;
  const unfinished = end === buffer.length && end - start < END_OF_HEAD.length;
  return unfinished ? undefined : end;
}

const lastThree = (text: string) => text.slice(-3);
