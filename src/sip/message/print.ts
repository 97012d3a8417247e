// A message to octets, with the Content-Length counted here so that no caller can get it wrong.

import type { Message, Octets } from "./message.ts";

/** Throws on a line break inside a header: one that ends early lets a caller write the next one. */
export function printMessage(message: Message): Octets {
  let octets =
    message.is === "request"
      ? `${message.method} ${message.uri} SIP/2.0\r\n`
      : `SIP/2.0 ${message.status} ${message.reason}\r\n`;
  assertOneLine(octets, octets.length - 2);
  for (const { name, value } of message.headers) {
    if (name === "Content-Length") continue;
    if (hasLineBreak(value) || hasLineBreak(name)) throw new Error(`line break in header ${JSON.stringify(name)}`);
    octets += `${name}: ${value}\r\n`;
  }
  octets += `Content-Length: ${message.body.length}\r\n\r\n${message.body}`;
  // Sent as octets, U+010A would become a line feed: text has to be encoded before it gets here.
  if (BEYOND_OCTETS.test(octets)) throw new Error("message holds text that is no octets");
  return octets;
}

const BEYOND_OCTETS = /[\u0100-\uffff]/;

const hasLineBreak = (text: string) => text.includes("\n") || text.includes("\r");

function assertOneLine(line: string, end: number): void {
  if (line.indexOf("\r") !== end || line.indexOf("\n") !== end + 1) throw new Error("line break in the start line");
}
