// The media half of a leg: one stream, and the offers and answers that say what flows in it.

import type { CodecName, MediaEngine, StreamId } from "../../media/engine.ts";
import type { WebPeer } from "../../media/webrtc/gateway.ts";
import { type Agreed, isHeldByThem, type Preference } from "../../sdp/agreed.ts";
import { type AgreedImage, answerImage, offerImage, readImage } from "../../sdp/image.ts";
import { answerOffer, makeOffer, needsIce, readAnswer } from "../../sdp/negotiate.ts";
import { parseSdp } from "../../sdp/parse.ts";
import { printSdp } from "../../sdp/print.ts";
import type { SessionDescription } from "../../sdp/session.ts";
import type { KeptMedia, KeptRinging } from "../calls/kept-leg.ts";
import { type OfferFault, offerFault } from "./judge-offer.ts";
import { LineAgreement } from "./line-agreement.ts";
import type { LineTerms } from "./line-terms.ts";
import { canMeet, mediaPeer } from "./media-peer.ts";
import { type MediaPreference, type MediaSideParts, placeOf, preferring, type WebDoor } from "./media-preference.ts";

export type Refused = { refused: OfferFault };

type Place = { stream: StreamId; address: string; port: number };

export class MediaSide {
  /** Where a fax is taken as data; without it the request is refused. */
  takeImage: ((theirs: AgreedImage) => Promise<number | undefined>) | undefined;
  readonly #engine: MediaEngine;
  #preference: MediaPreference;
  readonly #door: WebDoor | undefined;
  readonly #line: LineAgreement;
  readonly #sessionId: string;
  #opened: Promise<Place> | undefined;
  #at: Place | undefined;
  #version = 0;
  #agreed: Agreed | undefined;
  /** A fax goes as data beside it. */
  #isImage = false;
  #lastSdp: string | undefined;
  #offered: Preference | undefined;
  #web: WebPeer | undefined;
  /** What it says is for the gateway. */
  #isBrowser: boolean;
  /** Whose way decides at which of our addresses the media are; the SIP peer's when unset. */
  #towards: string | undefined;
  #closed = false;

  constructor({ engine, random, preference, door, terms = {}, whose, knowsInfo, kept }: MediaSideParts) {
    this.#engine = engine;
    this.#door = door;
    this.#preference = preference;
    this.#isBrowser = preference.isBrowser === true || kept?.agreed?.ice !== undefined;
    const { peerHint: signalsFrom, isPhone = false } = preference;
    const line = { random, knowsInfo, fingerprint: engine.fingerprint, isPhone, whose, signalsFrom };
    this.#line = new LineAgreement(line, terms, kept);
    this.#sessionId = kept?.sessionId ?? String(numberFrom(random(4)));
    if (!kept) return;
    this.#at = { stream: kept.stream, address: kept.address, port: kept.port };
    this.#opened = Promise.resolve(this.#at);
    this.#version = kept.version;
    this.#agreed = kept.agreed;
    this.#lastSdp = kept.lastSdp;
    if (kept.isOffer) this.#offered = { ...this.#describeAt(kept), ...this.#line.offering() };
  }

  /** Undefined while there is nothing to go on with: nothing said yet, a fax as data. A browser that speaks through the gateway is gone with it. */
  keep(): KeptMedia | undefined {
    if (!this.#at || (!this.#agreed && !this.#offered) || this.#isImage) return undefined;
    const { codecs, peerHint, towards } = { ...this.#preference, ...(this.#towards && { towards: this.#towards }) };
    const said = { sessionId: this.#sessionId, version: this.#version, lastSdp: this.#lastSdp };
    const state = { agreed: this.#agreed, isOffer: this.#offered !== undefined, ...this.#line.keep() };
    const isKeyed = this.#agreed ? this.#agreed.srtp !== undefined : state.form !== "plain";
    if (!isKeyed) state.srtpKeys = undefined; // they can be made anew
    return { ...this.#at, ...said, codecs, peerHint, towards, ...state };
  }

  /** What it goes by before anything was said. */
  plan(): Pick<KeptRinging, "codecs" | "terms"> {
    return { codecs: this.#preference.codecs, terms: this.#line.keep().terms };
  }

  /** Undefined until both sides have agreed: before that there is nothing to join or to play to. */
  stream(): StreamId | undefined {
    return this.#agreed ? this.#at?.stream : undefined;
  }

  agreed(): Agreed | undefined {
    return this.#agreed;
  }

  codec(): CodecName | undefined {
    return this.#agreed?.codec;
  }

  /** As the call's record names it. */
  carries(): CodecName | "T.38" | "" {
    return this.#isImage ? "T.38" : (this.codec() ?? "");
  }

  isHeld(): boolean {
    return this.#agreed !== undefined && isHeldByThem(this.#agreed);
  }

  /** What we last said, for peers that only want to hear it again. */
  lastSdp(): string | undefined {
    return this.#lastSdp;
  }

  /** What we said last was refused: what we had said before it still holds. */
  saidBefore(sdp: string | undefined): void {
    this.#lastSdp = sdp;
  }

  async offer(): Promise<string> {
    if (this.#isBrowser || this.#web) {
      const browser = await this.#browser();
      if (browser) return this.#say(await browser.offer(this.#preference.codecs));
    }
    const described = await this.#describe(undefined);
    this.#offered = { ...described, ...this.#line.offering() };
    return this.#say(printSdp(makeOffer(this.#offered)));
  }

  /** Its voice may come from there, too, once it has said where it is. */
  follow(address: string): void {
    this.#preference = { ...this.#preference, peerHint: address };
    this.#line.isAt(address);
  }

  /** Our offer was refused: whether there is another way to write it. */
  offerOtherwise(): boolean {
    return !this.#web && !this.#agreed && this.#line.offerOtherwise();
  }

  /** Who calls has turned out to be somebody with terms of his own. */
  meet(terms: LineTerms): void {
    this.#line.meet(terms);
  }

  /** Whether an offer could be answered; nothing is opened for it. */
  faultIn(offer: string): OfferFault | undefined {
    return offerFault(offer, {
      ...this.#line.taking(),
      codecs: this.#preference.codecs,
      takesBrowsers: this.#door !== undefined,
      takesFaxes: !this.#line.isStrict(),
    });
  }

  /** Their answer to our offer. */
  async understand(answer: string, isEarly = false): Promise<Agreed | Refused> {
    if (this.#web) {
      const understood = await this.#web.understand(answer);
      return "agreed" in understood ? this.#settle(understood.agreed, isEarly) : understood;
    }
    const parsed = parseSdp(answer);
    if (parsed.is === "malformed" || !this.#offered) return { refused: "malformed" };
    const understood = readAnswer(parsed.description, this.#offered);
    if (understood.is !== "agreed") return { refused: understood.why };
    if (!canMeet(this.#offered, understood.agreed)) return { refused: "other-family" };
    return this.#settle(understood.agreed, isEarly);
  }

  /** Our answer to their offer, in the preferred codec where they know it. */
  async answer(offer: string, prefer?: CodecName): Promise<{ sdp: string } | Refused> {
    const parsed = parseSdp(offer);
    if (parsed.is === "malformed") return { refused: "malformed" };
    const image = this.takeImage && !this.#line.isStrict() ? readImage(parsed.description) : undefined;
    if (image) return this.#answerImage(parsed.description, image);
    if (!this.#opened) this.#isBrowser = this.#door !== undefined && needsIce(parsed.description, this.#line.taking());
    const inside = this.#isBrowser ? this.#door?.gateway.inside : undefined;
    this.#towards = mediaPeer(parsed.description, this.#preference.towards, inside);
    const preference = await this.#describe(prefer ?? this.#agreed?.codec);
    const answered = answerOffer(parsed.description, preference);
    if (answered.is === "refused")
      return answered.why === "webrtc" ? this.#answerBrowser(offer, preference.codecs) : { refused: answered.why };
    if (!canMeet(preference, answered.agreed)) return { refused: "other-family" };
    this.#line.follow(answered.agreed, answered.answer);
    await this.#settle(answered.agreed);
    return { sdp: this.#say(printSdp(answered.answer)) };
  }

  /** The offer of a fax as data, at a port that is not this stream's. */
  async offerImage(port: number): Promise<string> {
    return this.#say(printSdp(offerImage(await this.#describeImage(port))));
  }

  /** Their answer to it; undefined when there is no such thing in it. */
  async understandImage(answer: string): Promise<AgreedImage | undefined> {
    const parsed = parseSdp(answer);
    const image = parsed.is === "malformed" ? undefined : readImage(parsed.description);
    if (image) await this.#rest();
    return image;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = await this.#opened;
    await this.#web?.close();
    if (opened) await this.#engine.close(opened.stream);
  }

  async #answerBrowser(offer: string, codecs: readonly CodecName[]): Promise<{ sdp: string } | Refused> {
    const browser = await this.#browser();
    if (!browser) return { refused: "webrtc" };
    const answered = await browser.answer(offer, codecs);
    if ("refused" in answered) return answered;
    await this.#settle(answered.agreed);
    return { sdp: this.#say(answered.sdp) };
  }

  async #answerImage(offer: SessionDescription, theirs: AgreedImage): Promise<{ sdp: string } | Refused> {
    const port = await this.takeImage?.(theirs);
    if (port === undefined) return { refused: "fax-only" };
    await this.#rest();
    return { sdp: this.#say(printSdp(answerImage(offer, await this.#describeImage(port)))) };
  }

  async #describeImage(port: number) {
    const { address } = await this.#open();
    this.#version += 1;
    return { address, port, session: { id: this.#sessionId, version: this.#version } };
  }

  /** Nobody speaks while a fax goes as data, and nobody shall be missed; the next audio they agree on wakes it. */
  async #rest(): Promise<void> {
    this.#isImage = true;
    const { stream } = await this.#open();
    if (!this.#agreed || this.#closed) return;
    await this.#engine.settle(stream, { ...this.#line.settled(this.#agreed), direction: "inactive" });
  }

  /** The way to the browser through the gateway; undefined without a gateway, or when the leg is over. */
  async #browser(): Promise<WebPeer | undefined> {
    const { port } = await this.#open();
    if (this.#closed || !this.#door) return undefined;
    const { gateway, lost, quiet } = this.#door;
    this.#web ??= gateway.open({ enginePort: port, lost, quiet, before: this.#agreed });
    return this.#web;
  }

  async #settle(agreed: Agreed, isEarly = false): Promise<Agreed> {
    this.#isImage = false;
    const { stream } = await this.#open();
    const settings = { ...this.#line.settled(agreed), ...(isEarly && { isEarly }) };
    if (!this.#closed) await this.#engine.settle(stream, settings);
    this.#agreed = agreed;
    return agreed;
  }

  /** Keys are told to it by signalling, beside its voice. */
  keysGoAside(): boolean {
    return this.#agreed !== undefined && this.#line.keysGoAside(this.#agreed);
  }

  /** It has said more of what it knows: keys may now go another way. */
  async reviewKeys(): Promise<void> {
    const { stream } = await this.#open();
    if (this.#agreed && !this.#closed && !this.#isImage)
      await this.#engine.settle(stream, this.#line.settled(this.#agreed));
  }

  /** INFO did not work: whether keys may go with the voice instead. */
  async keepKeysInVoice(): Promise<boolean> {
    const inVoice = this.#line.giveUpInfo();
    if (inVoice) await this.reviewKeys();
    return inVoice;
  }

  #open() {
    const met = { gateway: this.#door?.gateway, isBrowser: this.#isBrowser, towards: this.#towards };
    this.#opened ??= this.#engine.open(placeOf(this.#preference, met)).then((opened) => {
      this.#at = opened;
      return opened;
    });
    return this.#opened;
  }

  async #describe(prefer: CodecName | undefined): Promise<Preference> {
    const at = await this.#open();
    this.#version += 1;
    return this.#describeAt(at, prefer);
  }

  #describeAt({ address, port }: Pick<Place, "address" | "port">, prefer?: CodecName): Preference {
    return {
      codecs: preferring(this.#preference.codecs, prefer),
      address,
      port,
      ...this.#line.answering(),
      session: { id: this.#sessionId, version: this.#version },
    };
  }

  #say(sdp: string): string {
    this.#lastSdp = sdp;
    return sdp;
  }
}

function numberFrom(octets: Uint8Array): number {
  return octets.reduce((number, octet) => (number * 256 + octet) >>> 0, 0);
}
