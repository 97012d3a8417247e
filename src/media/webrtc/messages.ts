// What the exchange and its WebRTC gateway process say to each other. Plain values, since they cross a pipe.

import type { CodecName } from "../../codecs/codec.ts";
import type { Direction } from "../../sdp/session.ts";

/** One browser's connection. */
export type PeerId = string;

export type GatewaySettings = {
  /** Addresses the browsers' packets come in at, at most one of a family. */
  bind: readonly string[];
  /** What the candidates say, the likeliest first. */
  reachableAt: readonly [string, ...string[]];
  /** Two for each browser. */
  ports: { from: number; to: number };
  /** Where the media engine listens, and where the gateway listens for it. */
  inside: string;
  mostPeers: number;
};

export type GatewayRequest =
  | { do: "answer"; peer: PeerId; enginePort: number; codecs: readonly CodecName[]; offer: string }
  | { do: "offer"; peer: PeerId; enginePort: number; codecs: readonly CodecName[] }
  | { do: "understand"; peer: PeerId; answer: string }
  | { do: "close"; peer: PeerId }
  | { do: "count" };

/** `full`: as many browsers as may be. `failed`: it could not be made sense of, or no port was free. */
export type GatewayRefusal = { refused: "full" | "no-common-codec" | "failed"; why?: string };

export type Settled = {
  codec: CodecName;
  /** Whether the browser knows telephone-event; inside it always has the number `INSIDE_EVENT_TYPE`. */
  digits: boolean;
  /** Seen from us. */
  direction: Direction;
  /** Where the gateway takes the engine's packets. */
  insidePort: number;
};

export type GatewayAnswers = {
  answer: (Settled & { sdp: string }) | GatewayRefusal;
  offer: { sdp: string } | GatewayRefusal;
  understand: Settled | GatewayRefusal;
  close: "closed";
  count: { peers: number };
};

export type ToGateway = { number: number; request: GatewayRequest };

export type FromGateway =
  | { is: "answer"; number: number; value: GatewayAnswers[GatewayRequest["do"]] }
  /** The browser cannot be reached any more. */
  | { is: "lost"; peer: PeerId; why: string }
  /** Nothing comes from the browser any more, or again. */
  | { is: "quiet"; peer: PeerId; on: boolean }
  /** Something broke that should not; the calls go on. */
  | { is: "fault"; text: string };

/** The number that digits have between engine and gateway; browsers choose their own. */
export const INSIDE_EVENT_TYPE = 101;
