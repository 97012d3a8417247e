// What every leg is made of, whichever side called.

import type { Clock } from "../../clock.ts";
import type { ReportUnexpected } from "../../machine.ts";
import type { MediaEngine } from "../../media/engine.ts";
import type { WebGateway } from "../../media/webrtc/gateway.ts";
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

/** How the other side reaches us: the door its messages come and go by. */
export function contactAt(stack: Stack, peer: Destination | Source): string {
  const door = stack.doorTo(peer);
  const { host, port } = door?.sentBy ?? { host: "invalid", port: 5060 };
  const transport = peer.transport === "udp" ? "" : `;transport=${peer.transport}`;
  return `<sip:santral@${host}:${port}${transport}>`;
}
