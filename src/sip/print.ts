// A message to octets, with the Content-Length counted here so that no caller can get it wrong.

import type { Message, Octets } from "./message.ts";

/** Throws on a line break inside a value: a header that ends early lets a caller write the next one. */
export function printMessage(message: Message): Octets {
  let octets =
    message.is === "request"
      ? `${message.method} ${message.uri} SIP/2.0\r\n`
      : `SIP/2.0 ${message.status} ${message.reason}\r\n`;
  assertOneLine(octets, octets.length - 2);
  for (const { name, value } of message.headers) {
    if (name === "Content-Length") continue;
    if (value.includes("\n") || value.includes("\r") || name.includes("\n"))
      throw new Error(`line break in header ${JSON.stringify(name)}`);
    octets += `${name}: ${value}\r\n`;
  }
  return `${octets}Content-Length: ${message.body.length}\r\n\r\n${message.body}`;
}

function assertOneLine(line: string, end: number): void {
  if (line.indexOf("\r") !== end || line.indexOf("\n") !== end + 1) throw new Error("line break in the start line");
}
