// What both kinds of leg share: media, facts, events, and the dialog once there is one.

import { anchored, type Clock, type Ticks } from "../../clock.ts";
import type { CodecName, StreamId } from "../../media/engine.ts";
import type { AgreedImage } from "../../sdp/image.ts";
import { type Credentials, openCredentials } from "../../sip/credentials.ts";
import type { Dialog } from "../../sip/dialog.ts";
import type { ClientAccount } from "../../sip/digest-answer.ts";
import type { Request } from "../../sip/message/message.ts";
import type { Destination, Source } from "../../sip/transport/transport.ts";
import type { Ending } from "../calls/call-machine.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { LegFacts, LegImage, Met, Party } from "../calls/leg.ts";
import { ConnectedLine } from "./connected-line.ts";
import { answerIn, type DialogHears, DialogSide } from "./dialog-side.ts";
import type { OfferFault } from "./judge-offer.ts";
import { keyInfo } from "./key-info.ts";
import { legEvents } from "./leg-events.ts";
import { contactAt, type LegParts } from "./leg-parts.ts";
import type { LineTerms } from "./line-terms.ts";
import { MediaSide } from "./media-side.ts";
import { SessionSide } from "./session-side.ts";
import type { TransferNews } from "./transfers.ts";

const REQUEST_PENDING = 491;

export type CoreOptions = {
  party: Party;
  codecs: readonly CodecName[];
  near?: StreamId | undefined;
  isBrowser?: boolean | undefined;
  /** Faxes may go as data, unless the line says no. */
  t38?: boolean | undefined;
  /** Whom its phone shows as the other side to begin with. */
  shown?: string | undefined;
  /** Answers a carrier's 401 or 407, to whichever request of the call. */
  account?: ClientAccount | undefined;
  terms?: LineTerms | undefined;
  peer: Pick<LegFacts, "address" | "userAgent" | "isBrowser">;
  /** How this kind of leg takes leave of its phone. */
  end(cause: HangupCause): void;
};

/** Long enough for a page to load and for a network to come back, short enough for whoever hears the music. */
const AWAY_MS = 20_000;

export class LegCore {
  readonly parts: LegParts;
  readonly media: MediaSide;
  readonly facts: LegFacts;
  readonly events = legEvents();
  readonly session: SessionSide;
  readonly line: ConnectedLine;
  /** Of the line it goes by. */
  readonly credentials: Credentials | undefined;
  readonly image: LegImage;
  /** For the kind of leg that numbers its ringing. */
  prack: (request: Request) => boolean = () => false;
  dialog: DialogSide | undefined;
  isGone = false;
  readonly over: Promise<void>;
  readonly clock: Clock;
  readonly began: Ticks;
  #leftForGood: () => void = () => undefined;
  readonly #isPhone: boolean;
  #connected: LineTerms["connected"];
  readonly #end: (cause: HangupCause) => void;
  #stopHearing: () => void = () => undefined;
  #stopWaiting: () => void = () => undefined;

  constructor(parts: LegParts, options: CoreOptions) {
    const { party, codecs, near, isBrowser, t38 = true, terms, account, shown, peer, end } = options;
    this.parts = parts;
    this.clock = anchored(parts.clock);
    this.began = parts.clock.ticks();
    this.credentials = account && openCredentials(parts, account);
    this.#end = end;
    this.image = {
      isAllowed: t38,
      offer: (port) => this.#offerImage(port),
      take: (answer) => this.#takeImage(answer),
    };
    this.over = new Promise((resolve) => {
      this.#leftForGood = resolve;
    });
    this.session = new SessionSide(parts.clock, {
      refresh: async (headers) => this.dialog?.refresh(this.media.lastSdp(), headers),
      expire: () => this.fail("RECOVERY_ON_TIMER_EXPIRE"),
    });
    this.line = new ConnectedLine(
      {
        clock: parts.clock,
        isUp: () => this.facts.answerMs !== undefined && !this.isGone,
        isBusy: () => this.dialog?.isBusy() ?? false,
        tell: (headers) => this.attempt(this.session.renew(headers)),
        knowsFirst: party.is === "outside",
      },
      party.is === "extension" ? shown : undefined,
    );
    this.#connected = terms?.connected;
    this.#isPhone = party.is === "extension";
    const preference = { codecs, peerHint: peer.address, near, isBrowser, isPhone: party.is === "extension" };
    const knowsInfo = () => this.dialog?.knowsInfo() === true;
    const lost = () => this.fail("NORMAL_TEMPORARY_FAILURE");
    const door = parts.web && { gateway: parts.web, lost, quiet: (on: boolean) => this.#quiet(on) };
    this.media = new MediaSide({ engine: parts.media, random: parts.random, preference, door, terms, knowsInfo });
    this.facts = { number: party.number, startMs: this.clock.wall(), ...peer, writeCodec: "", readCodec: "" };
    if (isBrowser) this.facts.isBrowser = true;
  }

  enter(dialog: Dialog, peer: Destination | Source): DialogSide {
    this.dialog?.close();
    this.dialog = new DialogSide(this.parts, {
      dialog,
      contact: contactAt(this.parts.stack, peer),
      hears: this.#hears(),
      credentials: this.credentials,
    });
    return this.dialog;
  }

  /** What is agreed on with whoever it is, where that was not known at first. */
  agree(terms: LineTerms): void {
    this.media.meet(terms);
    this.#connected = terms.connected;
  }

  meet({ address, outside }: Met): void {
    if (this.#isPhone) return this.line.meet(address);
    const told = outside && this.#connected?.(outside);
    if (told) this.line.meet(told.address, told.headers);
  }

  answered(): void {
    this.facts.answerMs = this.clock.wall();
  }

  /** Offer and answer have met: note the codec, and hear what happens in the stream. */
  settled(): void {
    this.#noteCodec();
    const stream = this.media.stream();
    if (stream === undefined || this.isGone) return;
    this.#stopHearing();
    this.#stopHearing = this.parts.streams.listen(stream, (event) => {
      if (event.is === "digit") this.events.say({ is: "digit", digit: event.digit });
      if (event.is === "fax-tone") this.events.say({ is: "faxTone", tone: event.tone });
      if (event.is === "silent") this.fail("MEDIA_TIMEOUT");
      if (event.is === "lost") this.fail("NORMAL_TEMPORARY_FAILURE");
    });
  }

  /** Keys for the phone, in the form it has. */
  async press(digits: string): Promise<void> {
    const stream = this.media.stream();
    if (this.isGone || stream === undefined) return;
    if (!this.media.keysGoAside()) return this.parts.media.sendDigits(stream, digits);
    for (const digit of digits) {
      const outcome = await this.dialog?.ask("INFO", keyInfo(digit));
      const isRefused = outcome !== undefined && "response" in outcome && outcome.response.status >= 300;
      // It names INFO among what it knows, and does not know keys in it: from now on it gets tones.
      if (isRefused && (await this.media.keepKeysInVoice())) await this.parts.media.sendDigits(stream, digit);
    }
  }

  /** A key that it told by INFO: what keys end in its stream ends, and whoever listens hears of it. */
  #pressed(digit: string): void {
    const stream = this.media.stream();
    if (stream !== undefined) this.attempt(this.parts.media.pressed(stream, digit));
    this.events.say({ is: "digit", digit, signalled: true });
  }

  tellTransfer(news: TransferNews): void {
    if (!this.isGone) this.dialog?.transfers.tell(news);
  }

  /** Not the phone's doing: it must be told, and so must the call. */
  fail(cause: HangupCause): void {
    if (this.isGone) return;
    this.#end(cause);
    this.events.say({ is: "ended", ending: { cause } });
  }

  /** The phone's doing: the call must be told. */
  gone(ending: Ending): void {
    if (this.isGone) return;
    this.leave();
    this.dialog?.close();
    this.events.say({ is: "ended", ending });
  }

  leave(): void {
    this.isGone = true;
    this.facts.endMs = this.clock.wall();
    this.#stopHearing();
    this.#stopWaiting();
    this.session.stop();
    this.line.stop();
    this.media.close().catch((error: unknown) => this.parts.mistake(error));
    this.#leftForGood();
  }

  /** A mistake of ours costs this leg, and nobody else anything. */
  attempt(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.parts.mistake(error);
      this.fail("NORMAL_TEMPORARY_FAILURE");
    });
  }

  /** A page that is loaded again, or whose network comes back, returns to its call: it is waited for. */
  #quiet(on: boolean): void {
    this.#stopWaiting();
    if (this.isGone) return;
    if (on) this.#stopWaiting = this.parts.clock.after(AWAY_MS, () => this.fail("MEDIA_TIMEOUT"));
    this.events.say({ is: "away", on });
  }

  #takeImage(answer: Parameters<LegImage["take"]>[0]): () => void {
    this.media.takeImage = answer;
    return () => {
      if (this.media.takeImage === answer) this.media.takeImage = undefined;
    };
  }

  async #offerImage(port: number): Promise<{ agreed: AgreedImage } | { refused: number | undefined }> {
    const { dialog } = this;
    if (!dialog || this.isGone) return { refused: undefined };
    const before = this.media.lastSdp();
    const response = await dialog.change(await this.media.offerImage(port));
    const status = response === "busy" ? REQUEST_PENDING : response?.status;
    const isTaken = response !== undefined && response !== "busy" && response.status < 300;
    const agreed = isTaken ? await this.media.understandImage(answerIn(response)) : undefined;
    if (agreed) {
      this.#noteCodec();
      return { agreed };
    }
    this.media.saidBefore(before);
    return { refused: status };
  }

  #noteCodec(): void {
    this.facts.writeCodec = this.media.carries();
    this.facts.readCodec = this.facts.writeCodec;
  }

  #hears(): DialogHears {
    return {
      bye: (ending) => this.gone(ending),
      reoffer: (sdp) => this.#reoffer(sdp),
      acknowledged: (sdp) => this.attempt(this.media.understand(sdp).then(() => this.settled())),
      prack: (request) => this.prack(request),
      renewed: (request) => this.session.accept(request),
      digit: (digit) => this.#pressed(digit),
      referred: (referral) => this.events.say({ is: "referred", referral }),
    };
  }

  async #reoffer(sdp: string | undefined): Promise<{ sdp: string } | { refused: OfferFault }> {
    if (sdp === undefined) return { sdp: await this.media.offer() };
    const wasHeld = this.media.isHeld();
    const answer = await this.media.answer(sdp);
    if ("refused" in answer) return answer;
    this.settled();
    if (wasHeld !== this.media.isHeld()) this.events.say({ is: "held", on: this.media.isHeld() });
    return answer;
  }
}
