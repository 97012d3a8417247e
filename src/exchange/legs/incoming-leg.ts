// A party that called us: its INVITE until it is answered or refused, then its dialog until somebody hangs up.

import type { CodecName } from "../../media/engine.ts";
import { type Dialog, dialogAsCallee } from "../../sip/dialog.ts";
import { maxForwardsOf } from "../../sip/headers/max-forwards.ts";
import { productOf } from "../../sip/headers/product.ts";
import type { Incoming } from "../../sip/incoming.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import type { Header } from "../../sip/message/message.ts";
import { lineOf } from "../../sip/message/text.ts";
import { sessionIn } from "../../sip/reading/multipart.ts";
import { type ReliableRinging, reliableHeaders, ringReliably, wantsReliable } from "../../sip/reliable.ts";
import { SESSION_PREFERENCE, sessionAsCallee } from "../../sip/session-timer.ts";
import { type HangupCause, reasonFor, statusFor } from "../calls/causes.ts";
import type { Leg, LegImage } from "../calls/leg.ts";
import type { LegLine, Party } from "../calls/party.ts";
import { answerIn } from "./answer-in.ts";
import type { CoreOptions } from "./core-options.ts";
import type { DialogSide } from "./dialog-side.ts";
import { type OfferFault, warningOf } from "./judge-offer.ts";
import { LegCore } from "./leg-core.ts";
import type { LegParts } from "./leg-parts.ts";
import type { LineTerms } from "./line-terms.ts";
import { SDP_TYPE } from "./own-headers.ts";
import type { ResumedCaller } from "./resumed-leg.ts";
import { takenBefore } from "./taken-before.ts";
import { tellMoved } from "./tell-place.ts";
import { knownOf } from "./whereabouts.ts";

const NOT_ACCEPTABLE = 488;

type WhoCalls = "party" | "of" | "codecs" | "t38" | "account" | "terms" | "endsWithUs";
export type IncomingOptions = Pick<CoreOptions, WhoCalls> & { id: string };

/** A leg of somebody who calls us. */
export type CallingLeg = Leg & {
  /** Before anything else: its terms, where they were not known at first, and whether what it offers can be taken at all. */
  admit(terms?: LineTerms): OfferFault | undefined;
};

/** Undefined when the INVITE cannot make a dialog; it has then been refused. */
export function incomingLeg(parts: LegParts, incoming: Incoming, options: IncomingOptions): CallingLeg | undefined {
  const session = sessionAsCallee(incoming.request, SESSION_PREFERENCE);
  if ("refuse" in session) {
    incoming.reply(session.refuse, { headers: session.headers });
    return undefined;
  }
  const dialog = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
  if (!isMalformed(dialog)) return new IncomingLeg(parts, incoming, { ...options, dialog });
  incoming.reply(400, { reason: "Bad Contact" });
  return undefined;
}

/** One that an earlier process has not answered: he goes on hearing that it rings. */
export function callerAgain(parts: LegParts, options: IncomingOptions, before: ResumedCaller): Leg {
  const incoming = takenBefore(parts, before.kept.invite.taken, before.line.cameBack);
  const dialog = before.kept.dialog?.dialog ?? dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
  if (isMalformed(dialog)) throw new Error("what was kept is no dialog");
  return new IncomingLeg(parts, incoming, { ...options, dialog }, before);
}

class IncomingLeg implements CallingLeg {
  readonly id: string;
  readonly party: Party;
  readonly sipCallId: string;
  readonly direction = "in";
  readonly hops: number | undefined;
  readonly over: Promise<void>;
  readonly image: LegImage;
  line: LegLine | undefined;
  readonly #core: LegCore;
  readonly #incoming: Incoming;
  readonly #dialog: DialogSide;
  #rang = false;
  #ringing: ReliableRinging | undefined;
  #ringings = 0;
  #pickedUp = false;
  #picksUp: Promise<boolean> | undefined;
  #sdp: Promise<string | undefined> | undefined;
  /** Its voice is elsewhere than it was told of before the answer: it hears of that as soon as it may. */
  #isMoved = false;
  /** What it was told of before the answer. */
  #heardOf: string | undefined;
  #fault: OfferFault | undefined;

  constructor(
    parts: LegParts,
    incoming: Incoming,
    options: IncomingOptions & { dialog: Dialog },
    before?: ResumedCaller,
  ) {
    const { source, request } = incoming;
    this.id = options.id;
    this.party = options.party;
    this.sipCallId = options.dialog.callId;
    this.#incoming = incoming;
    const hops = maxForwardsOf(request);
    this.hops = isMalformed(hops) ? undefined : hops;
    this.#core = new LegCore(parts, {
      ...options,
      peer: {
        ...knownOf(source),
        userAgent: lineOf(productOf(request) ?? ""),
        isBrowser: source.transport === "ws" || source.transport === "wss",
      },
      edge: source.client && source.address,
      end: (cause) => this.end(cause),
      kept: before?.kept,
      cameBack: before?.line.cameBack,
    });
    this.over = this.#core.over;
    this.image = this.#core.image;
    this.#dialog = this.#core.dialog ?? this.#core.enter(options.dialog, source);
    this.#dialog.note(request);
    incoming.acknowledgedBy((ack, from) => this.#dialog.isAckOf(ack, from));
    this.#core.prack = (prack) => this.#ringing?.takePrack(prack) ?? false;
    incoming.onCancel(() => {
      incoming.reply(487);
      this.#core.gone({ cause: "ORIGINATOR_CANCEL" });
    });
    if (before) this.#goOn(before.kept);
  }

  #goOn({ invite, media }: ResumedCaller["kept"]): void {
    this.#rang = invite.rang;
    this.#ringings = invite.ringings;
    this.#isMoved = media?.isMoved === true;
    if (media?.agreed) {
      this.#sdp = Promise.resolve(media.lastSdp);
      this.#heardOf = media.lastSdp;
    }
    if (invite.isUnheard) this.#number(() => this.#incoming.repeat());
    this.#incoming.onLost(() => this.#core.gone({ cause: "NETWORK_OUT_OF_ORDER", lost: true }));
  }

  stream = () => this.#core.media.stream();
  codec = () => this.#core.media.codec();
  get began() {
    return this.#core.began;
  }

  isAnswered = () => this.#core.facts.answerMs !== undefined;
  facts = () => this.#core.facts;
  dialog = () => this.#core.dialog?.dialog();
  ask: Leg["ask"] = (method, options) => this.#core.dialog?.say(method, options);
  listen: Leg["listen"] = (hear) => this.#core.events.listen(hear);
  meet: Leg["meet"] = (other) => this.#core.meet(other);
  press = (digits: string) => this.#core.press(digits);
  keysGoAside = () => this.#core.media.keysGoAside();
  tellTransfer: Leg["tellTransfer"] = (news) => this.#core.tellTransfer(news);
  keep: Leg["keep"] = () => {
    const { id, party, direction, hops, line } = this;
    const core = this.#core.keep();
    const media = core?.media && this.#isMoved ? { ...core.media, isMoved: true } : core?.media;
    return core && { id, party, direction, hops, line, ...core, media };
  };
  keepRinging: Leg["keepRinging"] = () => {
    const { id, party, direction, hops, line } = this;
    const core = this.#core.keepRinging();
    const taken = core && this.#incoming.keep();
    if (!taken) return undefined;
    const isUnheard = this.#ringing?.isWaiting() === true;
    const invite = { taken, rang: this.#rang, ringings: this.#ringings, isUnheard };
    return { id, party, direction, hops, line, ...core, invite };
  };
  /** It called us: there is nothing to pick up. */
  pickUp = async () => false;

  admit(terms?: LineTerms): OfferFault | undefined {
    if (terms) this.#core.agree(terms);
    const offer = sessionIn(this.#incoming.request);
    this.#fault = offer === undefined ? undefined : this.#core.media.faultIn(offer);
    return this.#fault;
  }

  ring(): void {
    if (!this.#isCalling() || this.#rang) return;
    this.#rang = true;
    this.#tell(180, this.#dialog.headers());
  }

  async letHear(prefer?: CodecName): Promise<boolean> {
    if (!this.#isCalling()) return this.stream() !== undefined;
    if (!this.#hasOffer()) return false; // we could only offer, and nobody answers an offer before picking up
    const sdp = await this.#answerOnce(prefer);
    if (sdp === undefined || !this.#isCalling()) return false;
    if (this.#heardOf === sdp) return true;
    this.#heardOf = sdp;
    this.#rang = true;
    this.#tell(183, [...this.#dialog.headers(), SDP_TYPE], sdp);
    return true;
  }

  answer(prefer?: CodecName): Promise<boolean> {
    this.#picksUp ??= this.#pickUp(prefer);
    return this.#picksUp;
  }

  end(cause: HangupCause): void {
    if (this.#core.isGone) return;
    this.#core.leave();
    if (this.#pickedUp) this.#dialog.bye(cause);
    else this.#refuse(cause);
  }

  /** A caller that insists gets its ringing numbered, and again until it says that it heard (RFC 3262). */
  #tell(status: 180 | 183, headers: Header[], body = ""): void {
    const { request } = this.#incoming;
    if (wantsReliable(request) !== "required") {
      this.#incoming.reply(status, { headers, body });
      return;
    }
    this.#ringing?.stop();
    this.#ringings += 1;
    const numbered = [...headers, ...reliableHeaders(this.#ringings)];
    this.#number(() => void this.#incoming.reply(status, { headers: numbered, body }));
  }

  #number(send: () => void): void {
    const { clock, unexpected } = this.#core.parts;
    const { request: invite } = this.#incoming;
    const giveUp = () => this.#core.fail("RECOVERY_ON_TIMER_EXPIRE");
    this.#ringing = ringReliably({ clock, unexpected, invite, number: this.#ringings, send, giveUp });
  }

  #refuse(cause: HangupCause): void {
    this.#ringing?.stop();
    const reason = reasonFor(cause);
    const headers = reason === undefined ? [] : [{ name: "Reason", value: reason }];
    const status = statusFor(cause);
    if (this.#fault && status === NOT_ACCEPTABLE) headers.push(warningOf(this.#fault));
    this.#incoming.reply(status, { headers });
    this.#dialog.close();
  }

  async #pickUp(prefer: CodecName | undefined): Promise<boolean> {
    const offered = this.#hasOffer();
    const sdp = offered ? await this.#answerOnce(prefer) : await this.#core.media.offer();
    if (!this.#isCalling()) return false;
    if (sdp === undefined) {
      this.#core.fail("INCOMPATIBLE_DESTINATION");
      return false;
    }
    this.#pickedUp = true;
    this.#core.answered();
    const acknowledged = new Promise<boolean>((resolve) => {
      this.#incoming.onAck((ack) => resolve(this.#acknowledged(ack === "never" ? undefined : answerIn(ack), offered)));
    });
    this.#ringing?.stop();
    const session = this.#core.session.accept(this.#incoming.request);
    // Only a phone of ours learns who took its call; a carrier might tell it to anybody.
    const identity = this.party.is === "extension" ? this.#core.line.headers() : [];
    const headers = [...this.#dialog.headers(), ...session, ...identity, SDP_TYPE];
    this.#incoming.reply(200, { headers, body: sdp });
    return offered ? true : acknowledged;
  }

  /** Without a body at all the ACK never came. */
  async #acknowledged(body: string | undefined, offered: boolean): Promise<boolean> {
    if (body === undefined) this.#core.fail("RECOVERY_ON_TIMER_EXPIRE");
    // The 200 had to say what the ringing had said.
    if (body !== undefined && this.#isMoved)
      await tellMoved(this.#core, () => {
        this.#isMoved = false;
      });
    if (body === undefined || offered) return body !== undefined;
    const agreed = await this.#core.media.understand(body);
    if ("refused" in agreed) this.#core.fail("INCOMPATIBLE_DESTINATION");
    else this.#core.settled();
    return !("refused" in agreed);
  }

  #isCalling(): boolean {
    return !this.#core.isGone && !this.#pickedUp;
  }

  #hasOffer(): boolean {
    return sessionIn(this.#incoming.request) !== undefined;
  }

  /** The 183 and the 200 say the same. */
  #answerOnce(prefer: CodecName | undefined): Promise<string | undefined> {
    this.#sdp ??= this.#core.media.answer(answerIn(this.#incoming.request), prefer).then((answer) => {
      if ("refused" in answer) {
        this.#fault = answer.refused;
        return undefined;
      }
      this.#core.settled();
      return answer.sdp;
    });
    return this.#sdp;
  }
}
