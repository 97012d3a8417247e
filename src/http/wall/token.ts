// How a screen shows the token of its link: beside the protocol that it asks for, where no log of addresses has it.

import type { IncomingMessage } from "node:http";

export const WALL_LIVE = "/wall/live";
export const PROTOCOL = "santral-wall";

/** Empty where there is none. */
export function tokenShown({ headers }: Pick<IncomingMessage, "headers">): string {
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((it) => it.trim());
  return offered.find((it) => it !== PROTOCOL) ?? "";
}
