// Messages out of a stream of octets (TCP, TLS): cut by Content-Length, bounded in memory, linear in time.

import { isMalformed } from "./malformed.ts";
import type { Octets } from "./message.ts";
import { completeMessage, type Head, LIMITS, type Limits, type Parsed, readHead, refuseLine } from "./parse.ts";

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

const END_OF_HEAD = "\r\n\r\n";

export function openFraming({ maxMessage = LIMITS.message, maxUnfinished = 16_384 }: FramingOptions = {}): Framing {
  const limits: Limits = { ...LIMITS, message: maxMessage };
  let buffer = "";
  /** The head at the front of the buffer, once it was read; its body is still on the way. */
  let head: (Head & { length: number }) | undefined;
  let broken = false;

  return { push, held: () => buffer.length };

  function push(octets: Octets): Framed[] {
    if (broken) return [];
    const framed: Framed[] = [];
    if (stillUnfinished(octets)) {
      buffer += octets;
      if (head === undefined && buffer.length > maxUnfinished) breakOff("head too long", framed);
      return framed;
    }
    buffer += octets;
    let start = 0;
    while (!broken && start < buffer.length) {
      const end = takeOne(start, framed);
      if (end === undefined) break;
      start = end;
    }
    buffer = broken ? "" : buffer.slice(start);
    if (head !== undefined && start > 0) head = { ...head, end: head.end - start };
    return framed;
  }

  // Whether a drip of octets changes nothing yet. Told without touching the buffer, which joining would copy each time.
  function stillUnfinished(octets: Octets): boolean {
    if (head !== undefined) return buffer.length + octets.length < head.end + head.length;
    return buffer.length > END_OF_HEAD.length && !(lastThree(buffer) + octets).includes(END_OF_HEAD);
  }

  /** Takes what stands at `start`; the answer is where the next begins, undefined when more octets are needed. */
  function takeOne(start: number, framed: Framed[]): number | undefined {
    if (head === undefined) {
      if (buffer.charCodeAt(start) === 13 || buffer.charCodeAt(start) === 10) return takeBlank(start, framed);
      if (!takeHead(start, framed)) return undefined;
    }
    if (head === undefined || buffer.length < head.end + head.length) return undefined;
    const end = head.end + head.length;
    framed.push(completeMessage(head, buffer.slice(head.end, end)));
    head = undefined;
    return end;
  }

  function takeBlank(start: number, framed: Framed[]): number | undefined {
    const end = endOfBlank(buffer, start);
    if (end !== undefined && end - start >= END_OF_HEAD.length) framed.push({ ping: "crlf" });
    return end;
  }

  function takeHead(start: number, framed: Framed[]): boolean {
    const found = buffer.indexOf(END_OF_HEAD, start);
    if ((found < 0 ? buffer.length : found) - start > maxUnfinished) return breakOff("head too long", framed);
    if (found < 0) return false;
    const read = readHead(buffer, start, limits);
    if (isMalformed(read)) {
      framed.push(read);
      return breakOff(read.malformed, framed);
    }
    const { length } = read;
    if (length === undefined) return refuse(read, { why: "no Content-Length", status: 400 }, framed);
    if (read.end + length - start > maxMessage) return refuse(read, { why: "message too large", status: 513 }, framed);
    head = { ...read, length };
    return true;
  }

  // Without a length nobody can say where the next message begins (18.3), so an answer is the last thing sent.
  function refuse({ line, headers }: Head, { why, status }: { why: string; status: number }, framed: Framed[]): false {
    framed.push({ ...refuseLine(line, headers, why), status });
    return breakOff(why, framed);
  }

  function breakOff(why: string, framed: Framed[]): false {
    broken = true;
    buffer = "";
    head = undefined;
    framed.push({ broken: why });
    return false;
  }
}

/** Line ends between messages: two are a ping, more are still one, and one alone is somebody's pong. */
function endOfBlank(buffer: Octets, start: number): number | undefined {
  let end = start;
  for (let code = 13; code === 13 || code === 10; code = buffer.charCodeAt(end)) end++;
  const unfinished = end === buffer.length && end - start < END_OF_HEAD.length;
  return unfinished ? undefined : end;
}

const lastThree = (text: string) =>
  text.charAt(text.length - 3) + text.charAt(text.length - 2) + text.charAt(text.length - 1);
