// What both kinds of leg share: media, facts, events, and the dialog once there is one.

import { anchored, type Clock, momentOf, type Ticks } from "../../clock.ts";
import { type Credentials, openCredentials } from "../../sip/credentials.ts";
import type { Dialog } from "../../sip/dialog.ts";
import type { Header, Request, Response } from "../../sip/message/message.ts";
import type { Destination, Source } from "../../sip/transport/transport.ts";
import type { Ending } from "../calls/call-machine.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { KeptDialog } from "../calls/kept-leg.ts";
import type { LegImage, Met } from "../calls/leg.ts";
import type { LegFacts } from "../calls/party.ts";
import { ConnectedLine } from "./connected-line.ts";
import type { CoreOptions, KeptCore, KeptRingingCore } from "./core-options.ts";
import type { DialogGuard } from "./dialog-guard.ts";
import type { DialogFacts, DialogHears } from "./dialog-parts.ts";
import { DialogSide } from "./dialog-side.ts";
import { type CameBack, FlowBack } from "./flow-back.ts";
import { heardIn } from "./heard-in.ts";
import { heldBack } from "./held-back.ts";
import type { OfferFault } from "./judge-offer.ts";
import { legEvents } from "./leg-events.ts";
import { guardOf } from "./leg-guard.ts";
import { legImage } from "./leg-image.ts";
import { contactAt, type LegParts } from "./leg-parts.ts";
import type { LineTerms } from "./line-terms.ts";
import { mediaPartsOf } from "./media-preference.ts";
import { MediaSide } from "./media-side.ts";
import { PageWait } from "./page-wait.ts";
import { pressKeys } from "./press-keys.ts";
import { type SessionHears, SessionSide } from "./session-side.ts";
import type { TransferNews } from "./transfers.ts";
import { Whereabouts } from "./whereabouts.ts";

const NO_SUCH_CALL = 481;

export class LegCore {
  readonly parts: LegParts;
  readonly media: MediaSide;
  readonly facts: LegFacts;
  readonly whereabouts: Whereabouts;
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
  readonly #who: Pick<CoreOptions, "party" | "of">;
  readonly #endsWithUs: boolean;
  #connected: LineTerms["connected"];
  readonly #end: (cause: HangupCause) => void;
  #stopHearing: () => void = () => undefined;
  readonly #page: PageWait;
  readonly #guard: DialogGuard | undefined;

  constructor(parts: LegParts, options: CoreOptions) {
    const { party, isBrowser, t38 = true, terms, account, shown, peer, end, kept } = options;
    this.parts = parts;
    this.clock = anchored(parts.clock, kept?.facts.startMs);
    this.began = kept ? momentOf(this.clock, kept.facts.startMs) : parts.clock.ticks();
    this.credentials = account && openCredentials(parts, account);
    this.#end = end;
    this.#page = new PageWait(parts.clock, () => this.fail("MEDIA_TIMEOUT"));
    this.#endsWithUs = options.endsWithUs === true;
    this.image = legImage({
      isAllowed: t38,
      media: () => this.media,
      dialog: () => (this.isGone ? undefined : this.dialog),
      agreed: () => this.#noteCodec(),
    });
    this.over = new Promise((resolve) => {
      this.#leftForGood = resolve;
    });
    this.session = new SessionSide(parts.clock, this.#sessionHears(), kept?.session);
    this.line = new ConnectedLine(
      {
        clock: parts.clock,
        isUp: () => this.facts.answerMs !== undefined && !this.isGone,
        isBusy: () => this.dialog?.isBusy() ?? false,
        tell: (headers) => this.attempt(this.session.renew(headers)),
        knowsFirst: party.is === "outside",
      },
      kept?.shown ?? { address: party.is === "extension" ? shown : undefined, headers: undefined },
    );
    this.#connected = terms?.connected;
    this.#who = { party, of: options.of };
    const media = mediaPartsOf(parts, options, {
      knowsInfo: () => this.dialog?.knowsInfo() === true,
      lost: () => this.fail("NORMAL_TEMPORARY_FAILURE"),
      quiet: (on) => this.#quiet(on),
    });
    this.media = new MediaSide({ ...media, kept: kept?.media });
    const startMs = this.clock.wall();
    this.facts = kept?.facts ?? { number: party.number, startMs, ...peer, writeCodec: "", readCodec: "" };
    if (isBrowser) this.facts.isBrowser = true;
    this.whereabouts = new Whereabouts(this.facts);
    this.#guard = guardOf(parts, options, this);
    if (kept?.dialog) this.#goOn(kept.dialog, options.cameBack);
    if (kept) this.#hearStream();
  }

  /** Undefined until it is answered. */
  keep(): KeptCore | undefined {
    const dialog = this.dialog?.keep();
    return this.isGone || this.facts.answerMs === undefined || !dialog ? undefined : { ...this.#keep(), dialog };
  }

  /** Undefined once it is answered. */
  keepRinging(): KeptRingingCore | undefined {
    if (this.isGone || this.facts.answerMs !== undefined) return undefined;
    const endsWithUs = this.#endsWithUs || this.facts.isBrowser === true;
    return { ...this.#keep(), dialog: this.dialog?.keep(), ...this.media.plan(), endsWithUs };
  }

  #keep(): Omit<KeptCore, "dialog"> {
    return {
      facts: this.facts,
      isBrowser: this.facts.isBrowser === true,
      t38: this.image.isAllowed,
      media: this.#endsWithUs ? undefined : this.media.keep(),
      session: this.session.keep(),
      shown: this.line.keep(),
    };
  }

  #goOn({ dialog, contact, ...knows }: KeptDialog, cameBack: CameBack | undefined): void {
    const side = this.#sideOf({ dialog, contact, knows });
    this.dialog = side;
    if (cameBack) side.way = new FlowBack(this.parts.clock, cameBack, (flow) => side.follow(flow));
    if (this.facts.isBrowser && this.facts.answerMs !== undefined) this.#page.begin();
  }

  /** What is kept of it is of yesterday. */
  #changed(): void {
    if (this.facts.answerMs !== undefined && !this.isGone) this.events.say({ is: "changed" });
  }

  enter(dialog: Dialog, peer: Destination | Source): DialogSide {
    this.dialog?.close();
    this.dialog = this.#sideOf({ dialog, contact: contactAt(this.parts.stack, peer) });
    return this.dialog;
  }

  #sideOf(made: Pick<DialogFacts, "dialog" | "contact" | "knows">): DialogSide {
    return new DialogSide(this.parts, {
      ...made,
      hears: this.#hears(),
      credentials: this.credentials,
      guard: this.#guard,
    });
  }

  /** What is agreed on with whoever it is, where that was not known at first. */
  agree(terms: LineTerms): void {
    this.media.meet(terms);
    this.#connected = terms.connected;
  }

  meet({ address, outside }: Met): void {
    if (this.#who.party.is === "extension") return this.line.meet(address);
    const told = outside && this.#connected?.(outside);
    if (told) this.line.meet(told.address, told.headers);
  }

  answered(): void {
    this.facts.answerMs = this.clock.wall();
  }

  /** Offer and answer have met: note the codec, and hear what happens in the stream. */
  settled(): void {
    this.#noteCodec();
    this.#hearStream();
    this.#changed();
  }

  #sessionHears = (): SessionHears => ({
    refresh: (headers) => this.#refresh(headers),
    expire: () => this.fail("RECOVERY_ON_TIMER_EXPIRE"),
    agreed: () => this.#changed(),
  });

  #hearStream(): void {
    const stream = this.media.stream();
    if (stream === undefined || this.isGone) return;
    this.#stopHearing();
    this.#stopHearing = this.parts.streams.listen(stream, (event) => {
      if (event.is === "away") return this.#quiet(event.on);
      if (event.is === "held-back") return this.events.say(heldBack(event, this.#who, this.parts.heldBack));
      const heard = heardIn(event, this.facts.answerMs !== undefined);
      return heard && ("fails" in heard ? this.fail(heard.fails) : this.events.say(heard));
    });
  }

  /** Whoever knows nothing of this call any more has left it unheard (RFC 3261, 12.2.1.2). */
  async #refresh(headers: Header[]): Promise<Response | undefined> {
    const response = await this.dialog?.refresh(this.media.lastSdp(), headers);
    if (response?.status === NO_SUCH_CALL) this.gone({ cause: "NORMAL_CLEARING" });
    return response;
  }

  /** Keys for the phone, in the form it has. */
  async press(digits: string): Promise<void> {
    const { parts, media, dialog } = this;
    if (!this.isGone) await pressKeys({ engine: parts.media, media, dialog }, digits);
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
    this.events.say({ is: "ended", ending: { cause, lost: true } });
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
    this.#page.stop();
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

  /** A page that is loaded again, or whose network comes back, returns to its call. */
  #quiet(on: boolean): void {
    if (this.isGone) return;
    if (on) this.#page.begin();
    else this.#page.stop();
    this.events.say({ is: "away", on });
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
      renewing: () => this.session.renewing(),
      taken: (response) => this.session.renewed(response),
      digit: (digit) => this.#pressed(digit),
      moved: (address) => this.media.follow(address),
      referred: (referral) => this.events.say({ is: "referred", referral }),
      changed: () => this.#changed(),
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
