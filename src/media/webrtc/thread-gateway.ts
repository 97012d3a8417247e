// Browsers that speak with the media engine's threads: their connections end there, like those of phones with DTLS, and here
// is only said what both sides have to know. After that nobody but the threads sees a packet.

import type { CodecName } from "../../codecs/codec.ts";
import type { Agreed, IceTerms } from "../../sdp/agreed.ts";
import type { Fingerprint } from "../../sdp/dtls.ts";
import { type BrowserAudio, type BrowserSaid, hearAnswer, hearOffer, suitable } from "./description.ts";
import type { WebGateway, WebPeer, WebPeerOptions, WebRefused } from "./gateway.ts";
import type { GatewaySettings } from "./messages.ts";
import { candidatePlaces, describeAnswer, describeOffer, OFFERED_EVENT_TYPE, type OurSide } from "./own-description.ts";

/** That many octets of randomness fit for secrets. */
type Random = (octets: number) => Uint8Array;

export type ThreadGatewayOptions = {
  settings: Pick<GatewaySettings, "bind" | "reachableAt" | "mostPeers">;
  /** Of the engine's certificate. */
  fingerprint: Fingerprint;
  random: Random;
};

const NO_COMMON_CODEC: WebRefused = { refused: "no-common-codec" };
const REFUSED: WebRefused = { refused: "webrtc" };

export function openThreadGateway({ settings, fingerprint, random }: ThreadGatewayOptions): WebGateway {
  let peers = 0;
  return {
    inside: undefined,
    warm: () => undefined,
    peers: async () => peers,
    stop: async () => undefined,
    open(options) {
      let isCounted = false;
      const enter = () => {
        if (!isCounted && peers >= settings.mostPeers) return false;
        if (!isCounted) peers += 1;
        isCounted = true;
        return true;
      };
      const leave = () => {
        if (isCounted) peers -= 1;
        isCounted = false;
      };
      const places = candidatePlaces(settings, options.enginePort);
      return new ThreadPeer({ fingerprint, places, random, enter, leave, before: options.before });
    },
  };
}

type PeerParts = Pick<WebPeerOptions, "before"> & {
  fingerprint: Fingerprint;
  places: OurSide["places"];
  random: Random;
  /** False when there are as many as may be. */
  enter(): boolean;
  leave(): void;
};

/** What is agreed on with one browser. The engine knows the rest, and tells of its coming and going. */
class ThreadPeer implements WebPeer {
  readonly #parts: PeerParts;
  readonly #sessionId: string;
  #version = 0;
  #ours: Pick<IceTerms, "localUfrag" | "localPassword">;
  #remoteUfrag: string | undefined;
  #offered: readonly CodecName[] = [];
  #codec: CodecName | undefined;

  constructor(parts: PeerParts) {
    const { before, random } = parts;
    this.#parts = parts;
    this.#sessionId = String(Buffer.from(random(4)).readUInt32BE());
    this.#ours = before?.ice ?? newFragment(random);
    this.#remoteUfrag = before?.ice?.remoteUfrag;
    this.#codec = before?.ice && before.codec;
  }

  /** Also for later offers of the same browser, which change its direction, or look for a new way to us. */
  async answer(offer: string, codecs: readonly CodecName[]): Promise<{ sdp: string; agreed: Agreed } | WebRefused> {
    const said = hearOffer(offer, this.#codec ? [this.#codec] : suitable(codecs));
    if (!said) return NO_COMMON_CODEC;
    if (!isWhole(said) || !this.#parts.enter()) return REFUSED;
    // RFC 8839 section 4.4.3: whoever begins anew does so with both sides' names.
    if (this.#remoteUfrag !== undefined && this.#remoteUfrag !== said.ufrag)
      this.#ours = newFragment(this.#parts.random);
    const agreed = this.#agree(said);
    return { agreed, sdp: describeAnswer(this.#side(), said, agreed) };
  }

  async offer(codecs: readonly CodecName[]): Promise<string> {
    if (!this.#parts.enter()) throw new Error("there are as many browsers as may be");
    this.#offered = this.#codec ? [this.#codec] : suitable(codecs);
    return describeOffer(this.#side(), this.#offered);
  }

  async understand(answer: string): Promise<{ agreed: Agreed } | WebRefused> {
    const said = hearAnswer(answer, this.#offered);
    if (!said) return NO_COMMON_CODEC;
    if (!isWhole(said)) return REFUSED;
    const agreed = this.#agree(said);
    const differs = agreed.telephoneEvent !== undefined && agreed.telephoneEvent !== OFFERED_EVENT_TYPE;
    return { agreed: { ...agreed, ...(differs && { telephoneEventIn: OFFERED_EVENT_TYPE }) } };
  }

  async close(): Promise<void> {
    this.#parts.leave();
  }

  #agree({ audio, payloadType, ufrag, fingerprints, setup, remote }: BrowserSaid & { ufrag: string }): Agreed {
    this.#codec = audio.codec;
    this.#remoteUfrag = ufrag;
    return {
      ...agreedAudio(audio),
      payloadType,
      remote,
      rtcpMux: true,
      // Whoever leaves it open greets us: so a browser behind a translator of addresses opens its own way in.
      dtls: { isClient: setup === "passive", fingerprints },
      ice: { ...this.#fragment(), remoteUfrag: ufrag },
    };
  }

  #fragment(): Pick<IceTerms, "localUfrag" | "localPassword"> {
    const { localUfrag, localPassword } = this.#ours;
    return { localUfrag, localPassword };
  }

  #side(): OurSide {
    const { fingerprint, places } = this.#parts;
    const session = { id: this.#sessionId, version: ++this.#version };
    return { session, fingerprint, places, ...this.#fragment() };
  }
}

function agreedAudio({ codec, eventType, direction }: BrowserAudio) {
  return { codec, direction, ...(eventType === undefined ? {} : { telephoneEvent: eventType }) };
}

/** Without a name there is no way to it, and without a fingerprint anybody could be it. */
function isWhole(said: BrowserSaid): said is BrowserSaid & { ufrag: string } {
  return said.ufrag !== undefined && said.fingerprints.length > 0;
}

/** RFC 8839 section 5.4: at least 24 bits of the name and 128 of the password are of chance. */
function newFragment(random: Random) {
  const text = (octets: number) => Buffer.from(random(octets)).toString("base64");
  return { localUfrag: text(6), localPassword: text(18) };
}
