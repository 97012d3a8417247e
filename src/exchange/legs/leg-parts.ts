// What every leg is made of, whichever side called.

import { familyOf } from "../../addresses.ts";
import type { Clock } from "../../clock.ts";
import type { ReportUnexpected } from "../../machine.ts";
import type { MediaEngine } from "../../media/engine.ts";
import type { WebGateway } from "../../media/webrtc/gateway.ts";
import { contactFor } from "../../sip/contact.ts";
import type { Hash } from "../../sip/digest-answer.ts";
import type { Random } from "../../sip/headers/random.ts";
import type { Stack } from "../../sip/stack.ts";
import type { Destination, Source } from "../../sip/transport/transport.ts";
import type { Party } from "../calls/party.ts";
import type { CoreOptions } from "./core-options.ts";
import type { DialogParts } from "./dialog-parts.ts";
import type { HeldBack } from "./held-back.ts";
import type { LegStack } from "./leg-stack.ts";
import type { LegOf, Standing } from "./standing.ts";
import type { StreamHub } from "./stream-hub.ts";
import type { Known } from "./whereabouts.ts";
import type { VoiceOfTrunk } from "./whose-voice.ts";

export type LegParts = DialogParts & {
  stack: LegStack;
  clock: Clock;
  media: MediaEngine;
  /** For browsers; without it they are refused. */
  web?: Pick<WebGateway, "inside" | "open"> | undefined;
  streams: StreamHub;
  random: Random;
  hash: Hash;
  unexpected: ReportUnexpected;
  /** Who may speak for a party from elsewhere. Unset, whoever knows the names of its call. */
  standing?: ((of: LegOf, party: Party) => Standing) | undefined;
  /** Where voice may go before any has come from there. Unset, wherever SDP says. */
  voiceOfTrunk?: VoiceOfTrunk | undefined;
  /** Voice to a party is held back, since nothing has come from where it would go. */
  heldBack?: ((what: HeldBack) => void) | undefined;
  /** Somebody who is not the party of a call has asked something in it. */
  stranger?: ((what: { method: string; address: string; party: string }) => void) | undefined;
};

/** How the other side reaches us. Where no door of ours leads nothing is sent, and what is made for it says so. */
export function contactAt(stack: Pick<Stack, "doorTo">, peer: Destination | Source): string {
  return contactFor(stack, "santral", [peer]) ?? "<sip:nowhere.invalid>";
}

export type Destinations = readonly [Destination, ...Destination[]];

/**
 * Those that a door of ours leads to, and of these the ones of the first one's family: Contact and SDP name one address of
 * ours, which the other family could not reach. When no door leads anywhere the sending itself says so.
 */
export function reachable(stack: Pick<Stack, "doorTo">, destinations: Destinations): Destinations {
  const first = destinations.find((it) => stack.doorTo(it));
  if (!first) return destinations;
  const others = destinations.filter((it) => it !== first && familyOf(it.address) === familyOf(first.address));
  return [first, ...others];
}

/** Who is called there, and the edge, where the first of those is one's. */
export function metBy([first]: Destinations, behindEdge: Known | undefined): Pick<CoreOptions, "peer" | "edge"> {
  const peer = { ...(behindEdge ?? { address: first.address }), userAgent: "" };
  return { peer, edge: behindEdge && first.address };
}
