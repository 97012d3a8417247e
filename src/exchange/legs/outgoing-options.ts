// Whom we call and how: all that an outgoing leg is made of.

import type { CodecName, StreamId } from "../../media/engine.ts";
import type { Patience } from "../../sip/client.ts";
import type { ClientAccount } from "../../sip/digest-answer.ts";
import type { Header } from "../../sip/message/message.ts";
import type { Party } from "../calls/party.ts";
import type { Destinations } from "./leg-parts.ts";
import type { LineTerms } from "./line-terms.ts";
import type { LegOf } from "./standing.ts";
import type { Known } from "./whereabouts.ts";

export type OutgoingOptions = {
  id: string;
  party: Party;
  of?: LegOf | undefined;
  codecs: readonly CodecName[];
  near?: StreamId | undefined;
  /** It telephones over a WebSocket, so its media are WebRTC. */
  isBrowser?: boolean | undefined;
  t38?: boolean | undefined;
  terms?: LineTerms | undefined;
  left?: (() => void) | undefined;
  /** It has said that it picks up when told to. */
  takesTalk?: boolean | undefined;
  /** Whoever is there ends with this process: no later one can go on with it. */
  endsWithUs?: boolean | undefined;
  /** Told once: it was heard of, or nothing came back at all. */
  reached?: ((answered: boolean) => void) | undefined;
  /** Request-URI. */
  uri: string;
  /** Tried in order while servers are down. */
  destinations: Destinations;
  /** Where it is itself, where those are of the edge that it is behind. */
  behindEdge?: Known | undefined;
  patience?: Patience | undefined;
  /** Later requests go the same way, because the phone's own address leads nowhere from here. */
  keepsFlow: boolean;
  from: string;
  to: string;
  /** Route, identity, privacy, auto-answer. */
  headers: readonly Header[];
  /** Answers a carrier's 401 or 407. */
  account?: ClientAccount | undefined;
};
