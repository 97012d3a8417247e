// What a leg would have of its media, and by which door browsers speak.

import type { CodecName, MediaEngine, OpenOptions, StreamId } from "../../media/engine.ts";
import type { WebGateway } from "../../media/webrtc/gateway.ts";
import type { Random } from "../../sip/headers/random.ts";
import type { KeptMedia } from "../calls/kept-leg.ts";
import type { CoreOptions } from "./core-options.ts";
import type { LegParts } from "./leg-parts.ts";
import type { LineTerms } from "./line-terms.ts";
import { type WhoseVoice, whoseVoice } from "./whose-voice.ts";

export type MediaPreference = {
  /** In order of preference. */
  codecs: readonly CodecName[];
  /** The SIP peer's address: media may come from there when its SDP names one behind NAT. */
  peerHint: string;
  /** Whose way decides at which of our addresses media are: the peer's own, or that of the edge it is spoken to by. */
  towards: string;
  near?: StreamId | undefined;
  /** The phone is a browser: what we offer it is WebRTC. */
  isBrowser?: boolean | undefined;
  /** It is a phone of the exchange, and not a carrier. */
  isPhone?: boolean | undefined;
};

/** Browsers speak through the gateway; one may be gone for good (`lost`) or say nothing for a while (`quiet`). */
export type WebDoor = {
  gateway: Pick<WebGateway, "inside" | "open">;
  lost(why: string): void;
  quiet(on: boolean): void;
};

export type MediaSideParts = {
  engine: MediaEngine;
  random: Random;
  preference: MediaPreference;
  door?: WebDoor | undefined;
  terms?: LineTerms | undefined;
  whose?: WhoseVoice | undefined;
  /** Whether keys may be told to it by INFO, as far as it has said. */
  knowsInfo(): boolean;
  /** Of an earlier process, whose stream is open again. */
  kept?: KeptMedia | undefined;
};

type LineHears = Pick<MediaSideParts, "knowsInfo"> & Pick<WebDoor, "lost" | "quiet">;

/** Of one leg. */
export function mediaPartsOf(
  { media: engine, random, web, voiceOfTrunk }: Pick<LegParts, "media" | "random" | "web" | "voiceOfTrunk">,
  { party, of, codecs, peer, edge, near, isBrowser, terms }: CoreOptions,
  { knowsInfo, lost, quiet }: LineHears,
): Omit<MediaSideParts, "kept"> {
  const where = { peerHint: peer.address, towards: edge ?? peer.address, near };
  const preference = { codecs, ...where, isBrowser, isPhone: party.is === "extension" };
  const door = web && { gateway: web, lost, quiet };
  return { engine, random, preference, door, terms, whose: whoseVoice(of, voiceOfTrunk), knowsInfo };
}

/** Where the stream is: a browser's media come by the gateway on this machine, wherever it is, or straight to the engine. */
export function placeOf(
  { peerHint, towards, near, isBrowser }: MediaPreference,
  met: { gateway: WebDoor["gateway"] | undefined; isBrowser: boolean; towards: string | undefined },
): OpenOptions {
  const beside = near === undefined ? {} : { near };
  if (met.isBrowser && met.gateway && met.gateway.inside === undefined) return { forBrowser: true, ...beside };
  const inside = isBrowser ? met.gateway?.inside : undefined;
  return { peerHint: inside ?? peerHint, towards: inside ?? met.towards ?? towards, ...beside };
}

/** The preferred one first, where it is among them. */
export function preferring(codecs: readonly CodecName[], prefer: CodecName | undefined): CodecName[] {
  const first = prefer && codecs.includes(prefer) ? [prefer] : [];
  return [...first, ...codecs.filter((codec) => !first.includes(codec))];
}
