// INVITEs that have no final answer yet, as a later process needs them to go on with their transactions: plain data.

import type { Octets } from "./message/message.ts";
import { parseMessage } from "./reading/parse.ts";
import type { Destination, Source } from "./transport/transport.ts";

/** One that we sent. */
export type KeptAsked = {
  /** As it went over the wire. */
  invite: Octets;
  branch: string;
  destination: Destination;
  /** Something came back: it has arrived, and need not be sent again. */
  heard: boolean;
};

/** One that we were sent. */
export type KeptTaken = {
  /** With what we noted in its Via. */
  invite: Octets;
  source: Source;
  /** Names its transaction. */
  key: string;
  localTag: string;
  /** What we said last, for whoever asks again; undefined when that was nothing. */
  last: Octets | undefined;
};

/** Connections end with their process. */
export function withoutConnection<Way extends Source | Destination>({ connection: _, ...way }: Way) {
  return way;
}

/** What we wrote ourselves is a request, or was tampered with. */
export function requestIn(invite: Octets) {
  const parsed = parseMessage(invite);
  if ("message" in parsed && parsed.message.is === "request") return parsed.message;
  throw new Error("what was kept is no request");
}
