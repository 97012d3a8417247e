// Messages with one header changed.

import type { Message } from "../../src/sip/message/message.ts";

/** The same message with that header set once, in the place of the first of its name or at the end. */
export function withHeader<Kind extends Message>(message: Kind, name: string, value: string): Kind {
  const at = message.headers.findIndex((header) => header.name === name);
  if (at < 0) return { ...message, headers: [...message.headers, { name, value }] };
  const headers = message.headers.filter((header, index) => header.name !== name || index === at);
  return { ...message, headers: headers.with(at, { name, value }) };
}

export function withoutHeader<Kind extends Message>(message: Kind, name: string): Kind {
  return { ...message, headers: message.headers.filter((header) => header.name !== name) };
}
