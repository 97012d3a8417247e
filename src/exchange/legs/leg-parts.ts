// What every leg is made of, whichever side called.

import type { Clock } from "../../clock.ts";
import type { ReportUnexpected } from "../../machine.ts";
import type { MediaEngine } from "../../media/engine.ts";
import type { WebGateway } from "../../media/webrtc/gateway.ts";
import { contactFor } from "../../sip/contact.ts";
import type { Hash } from "../../sip/digest-answer.ts";
import type { Random } from "../../sip/headers/random.ts";
import type { Stack } from "../../sip/stack.ts";
import type { Destination, Source } from "../../sip/transport/transport.ts";
import type { DialogParts } from "./dialog-side.ts";
import type { StreamHub } from "./stream-hub.ts";

export type LegParts = DialogParts & {
  clock: Clock;
  media: MediaEngine;
  /** For browsers; without it they are refused. */
  web?: WebGateway | undefined;
  streams: StreamHub;
  random: Random;
  hash: Hash;
  unexpected: ReportUnexpected;
};

/** How the other side reaches us. Where no door of ours leads nothing is sent, and what is made for it says so. */
export function contactAt(stack: Stack, ...peers: readonly (Destination | Source)[]): string {
  return contactFor(stack, "santral", peers) ?? "<sip:nowhere.invalid>";
}
