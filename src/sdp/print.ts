// Session description to text, lines in the order RFC 8866 wants them.

import type { Attribute, MediaLine, SessionDescription } from "./session.ts";

export function printSdp({ origin, name, connection, attributes, media }: SessionDescription): string {
  return [
    "v=0",
    `o=${origin.username} ${origin.id} ${origin.version} IN ${family(origin.address)} ${origin.address}`,
    `s=${name}`,
    ...(connection === undefined ? [] : [printConnection(connection)]),
    "t=0 0",
    ...attributes.map(printAttribute),
    ...media.flatMap(printMedia),
    "",
  ].join("\r\n");
}

function printMedia({ kind, port, protocol, formats, connection, attributes }: MediaLine): string[] {
  return [
    `m=${kind} ${port} ${protocol} ${formats.join(" ")}`,
    ...(connection === undefined ? [] : [printConnection(connection)]),
    ...attributes.map(printAttribute),
  ];
}

function printConnection(address: string): string {
  return `c=IN ${family(address)} ${address}`;
}

function printAttribute({ name, value }: Attribute): string {
  return value === undefined ? `a=${name}` : `a=${name}:${value}`;
}

function family(address: string): string {
  return address.includes(":") ? "IP6" : "IP4";
}
