// A party that we call: an INVITE with our offer, its ringing, its answer or refusal, then its dialog.

import { since } from "../../clock.ts";
import type { Outcome, Outgoing } from "../../sip/client.ts";
import type { Answers } from "../../sip/credentials.ts";
import { type Dialog, dialogAsCaller } from "../../sip/dialog.ts";
import { callIdOf, toOf } from "../../sip/headers/addresses.ts";
import { movedTo } from "../../sip/headers/moved.ts";
import { tagOf } from "../../sip/headers/name-address.ts";
import { productOf } from "../../sip/headers/product.ts";
import { newCallId } from "../../sip/headers/random.ts";
import { knowsEvent } from "../../sip/headers/token-lists.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import { headerOf, type Request, type Response } from "../../sip/message/message.ts";
import { lineOf } from "../../sip/message/text.ts";
import { sessionIn } from "../../sip/reading/multipart.ts";
import { prackFor } from "../../sip/reliable.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import { causeOfEnding, type HangupCause, reasonFor } from "../calls/causes.ts";
import type { Leg, LegImage } from "../calls/leg.ts";
import type { LegLine, Party } from "../calls/party.ts";
import { answerIn } from "./answer-in.ts";
import { askedBefore } from "./asked-before.ts";
import { firstInvite, inviteAgain, inviteIn } from "./first-invite.ts";
import { acknowledge, hangsUpLate, hangUp, proofIn } from "./late-answer.ts";
import { LegCore } from "./leg-core.ts";
import { type Destinations, type LegParts, metBy, reachable } from "./leg-parts.ts";
import { otherwise } from "./otherwise.ts";
import type { OutgoingOptions } from "./outgoing-options.ts";
import type { ResumedCalled } from "./resumed-leg.ts";
import { tellToTalk } from "./tell-to-talk.ts";

/** Whoever is there has said something by then. */
const SILENCE_MS = 3_000;

/** `before`: an earlier process has begun to ring it. */
export function outgoingLeg(parts: LegParts, options: OutgoingOptions, before?: ResumedCalled): Leg {
  return new OutgoingLeg(parts, options, before);
}

class OutgoingLeg implements Leg {
  readonly id: string;
  readonly party: Party;
  readonly sipCallId: string;
  readonly direction = "out";
  readonly over: Promise<void>;
  readonly image: LegImage;
  line: LegLine | undefined;
  readonly #core: LegCore;
  readonly #options: OutgoingOptions;
  #destinations: Destinations;
  #invite: Request;
  #outgoing: Outgoing | undefined;
  #reached: string | undefined;
  #rang = false;
  #lastRSeq: number | undefined;
  #previewed: Promise<boolean> | undefined;
  readonly #answers: Answers | undefined;
  #takesTalk: boolean;
  #tellAnswered: () => void = () => undefined;
  readonly #answered = new Promise<void>((resolve) => {
    this.#tellAnswered = resolve;
  });

  constructor(parts: LegParts, options: OutgoingOptions, before?: ResumedCalled) {
    this.id = options.id;
    this.party = options.party;
    this.#options = options;
    this.#takesTalk = options.takesTalk === true;
    const destinations = reachable(parts.stack, options.destinations);
    this.#destinations = destinations;
    const met = metBy(destinations, options.behindEdge);
    const end = (cause: HangupCause) => this.end(cause);
    const [kept, cameBack] = [before?.kept, before?.line.cameBack];
    this.#core = new LegCore(parts, { ...options, ...met, shown: options.from, end, kept, cameBack });
    this.#answers = this.#core.credentials?.answers();
    this.over = this.#core.over;
    this.image = this.#core.image;
    const first = { callId: newCallId(parts.random), session: this.#core.session.offer() };
    this.#invite = kept ? inviteIn(kept.invite.asked) : firstInvite(parts, { ...options, destinations }, first);
    this.sipCallId = callIdOf(this.#invite);
    void this.over.then(() => this.#letGo());
    if (before) this.#goOn(before);
    else this.#core.attempt(this.#core.media.offer().then((sdp) => this.#call(sdp)));
  }

  #goOn({ kept: { invite, dialog, media }, line: { cameBack } }: ResumedCalled): void {
    this.#rang = invite.rang;
    this.#lastRSeq = invite.lastRSeq;
    this.#reached = dialog?.dialog.remoteTag;
    if (media?.agreed) this.#previewed = Promise.resolve(true);
    if (invite.rang) this.#core.events.say({ is: "ringing" });
    if (media?.agreed) this.#core.events.say({ is: "earlyMedia" });
    const hear = (outcome: Outcome) => this.#hear(outcome);
    const follow = (flow: Destination) => {
      this.#destinations = [flow];
    };
    this.#outgoing = askedBefore(this.#core.parts, invite.asked, { cameBack, hear, follow });
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
    const { id, party, direction, line } = this;
    const core = this.#core.keep();
    return core && { id, party, direction, hops: undefined, line, ...core };
  };
  keepRinging: Leg["keepRinging"] = () => {
    const { id, party, direction, line } = this;
    const core = this.#core.keepRinging();
    const asked = core && this.#outgoing?.keep();
    if (!asked) return undefined;
    const { keepsFlow } = this.#options;
    const invite = { asked, keepsFlow, rang: this.#rang, takesTalk: this.#takesTalk, lastRSeq: this.#lastRSeq };
    return { id, party, direction, hops: undefined, line, ...core, invite };
  };
  /** We called it: there is nothing to ring, and nothing to answer. */
  ring = () => undefined;
  answer = () => Promise.resolve(this.isAnswered());
  letHear = () => Promise.resolve(this.stream() !== undefined);

  end(cause: HangupCause): void {
    if (this.#core.isGone) return;
    const answered = this.isAnswered();
    if (this.#core.facts.heardMs === undefined && this.#wasAwaited()) this.#options.reached?.(false);
    this.#core.leave();
    if (answered) this.#core.dialog?.bye(cause);
    else {
      this.#outgoing?.cancel(reasonFor(cause));
      this.#core.dialog?.close();
    }
  }

  pickUp(): Promise<boolean> {
    const side = this.#core.isGone || this.isAnswered() ? undefined : this.#core.dialog;
    if (!side) return Promise.resolve(false);
    return tellToTalk(side, { clock: this.#core.parts.clock, takesTalk: this.#takesTalk, answered: this.#answered });
  }

  #call(sdp: string): void {
    if (this.#core.isGone) return;
    this.#invite = { ...this.#invite, body: sdp };
    this.#send();
  }

  #send(): void {
    const invite = this.#invite;
    const hear = (outcome: Outcome) => {
      if (invite === this.#invite) this.#hear(outcome);
    };
    this.#outgoing = this.#core.parts.stack.send(invite, this.#destinations, hear, this.#options.patience);
    this.#options.left?.();
  }

  #hear(outcome: Outcome) {
    if (!("response" in outcome)) return this.#lost(outcome);
    const { response, source } = outcome;
    this.#noteHeard();
    this.#core.whereabouts.answers(source, this.#options.behindEdge);
    const product = productOf(response);
    if (product !== undefined) this.#core.facts.userAgent = lineOf(product);
    if (outcome.is === "provisional") return this.#progress(response);
    if (outcome.is === "failure") return this.#refused(response);
    return this.#core.attempt(this.#accepted(response));
  }

  #lost({ is: how, why }: Outcome & { is: "timeout" | "unreachable" }): void {
    if (this.#core.facts.heardMs === undefined) this.#options.reached?.(false);
    this.#core.gone({ cause: how === "timeout" ? "NO_USER_RESPONSE" : "NETWORK_OUT_OF_ORDER", ...(why && { why }) });
  }

  #wasAwaited = () => since(this.#core.parts.clock, this.#core.began) >= SILENCE_MS;

  #noteHeard(): void {
    if (this.#core.facts.heardMs !== undefined) return;
    this.#core.facts.heardMs = this.#core.clock.wall();
    this.#options.reached?.(true);
  }

  #progress(response: Response): void {
    if (response.status === 100 || this.#core.isGone) return;
    this.#core.facts.progressMs ??= this.#core.clock.wall();
    this.#takesTalk ||= knowsEvent(response, "talk");
    this.#enter(response);
    this.#acknowledgeRinging(response);
    const sdp = sessionIn(response);
    if (sdp !== undefined) {
      this.#previewed ??= this.#preview(sdp);
      return;
    }
    if (response.status === 183 || this.#rang) return;
    this.#rang = true;
    this.#core.events.say({ is: "ringing" });
  }

  /** A numbered 18x wants to be told that it was heard (RFC 3262). */
  #acknowledgeRinging(response: Response): void {
    const side = this.#core.dialog;
    if (!side) return;
    const owed = prackFor(response, this.#lastRSeq);
    if (!owed.due) return;
    this.#lastRSeq = owed.rseq;
    side.say("PRACK", { headers: [owed.rack] });
  }

  async #preview(sdp: string): Promise<boolean> {
    const agreed = await this.#core.media.understand(sdp, true);
    if ("refused" in agreed || this.#core.isGone) return false;
    this.#core.settled();
    if (!this.#rang) this.#core.events.say({ is: "ringing" });
    this.#rang = true;
    this.#core.events.say({ is: "earlyMedia" });
    return true;
  }

  async #accepted(response: Response): Promise<void> {
    const dialog = this.#dialogOf(response);
    if (!dialog) return this.#core.gone({ cause: "INTERWORKING" });
    const ours = !this.#core.isGone && !this.isAnswered();
    if (ours) this.#enter(response);
    this.#core.dialog?.note(response);
    const previewed = this.#previewed !== undefined && sessionIn(response) === undefined;
    if (this.#outgoing) await acknowledge(this.#core.parts, this.#outgoing, { dialog, proof: proofIn(this.#invite) });
    // A second fork that answered, or an answer that crossed our CANCEL: it is picked up and hung up.
    if (!ours || this.#core.isGone) return hangUp(this.#core.parts, dialog, this.#core.credentials);
    this.#core.answered();
    this.#tellAnswered();
    this.#core.session.accepted(response);
    await this.#previewed;
    const agreed = previewed ? undefined : await this.#core.media.understand(answerIn(response));
    if (previewed) await this.#core.media.reviewKeys();
    if (agreed && "refused" in agreed) return this.#core.fail("INCOMPATIBLE_DESTINATION");
    this.#core.settled();
    this.#core.events.say({ is: "answered" });
  }

  #refused(response: Response): void {
    if (!this.#core.isGone && this.#isTriedOtherwise(response)) return;
    const { status, reason: phrase } = response;
    const cause = causeOfEnding({ status, reason: headerOf(response, "Reason") });
    const sip = { status, phrase };
    if (status >= 400) return this.#core.gone({ cause, sip });
    return this.#core.gone({ cause: "REDIRECTION_TO_NEW_DESTINATION", sip, moved: movedTo(response) });
  }

  #isTriedOtherwise(response: Response): boolean {
    const { session, media } = this.#core;
    const next = otherwise(response, this.#invite, { answers: this.#answers, session, media, rang: this.#rang });
    if (next) this.#core.attempt(Promise.resolve(next).then((invite) => this.#again(invite)));
    return next !== undefined;
  }

  #again(invite: Request): void {
    if (this.#core.isGone) return;
    this.#invite = inviteAgain(invite, this.#answers);
    this.#send();
  }

  #enter(response: Response): void {
    const tag = tagOf(toOf(response));
    if (tag === undefined || (tag === this.#reached && response.status < 200)) return;
    const dialog = this.#dialogOf(response);
    if (!dialog) return;
    // What was said while it rang, such as a PRACK, has been counted.
    const localCSeq = (tag === this.#reached && this.#core.dialog?.dialog().localCSeq) || dialog.localCSeq;
    this.#reached = tag;
    this.#core.enter({ ...dialog, localCSeq }, this.#destinations[0]);
  }

  #dialogOf(response: Response): Dialog | undefined {
    const { flow, proved } = this.#there();
    const dialog = dialogAsCaller(this.#invite, response, flow);
    return isMalformed(dialog) ? undefined : { ...dialog, proved };
  }

  #there(): { flow: Destination | undefined; proved: Destination } {
    const [proved] = this.#destinations;
    return { proved, flow: this.#options.keepsFlow ? proved : undefined };
  }

  /** The transaction stays for half a minute after the leg. */
  #letGo(): void {
    const [{ parts, credentials }, outgoing] = [this.#core, this.#outgoing];
    const asked = { invite: this.#invite, ...this.#there(), credentials };
    outgoing?.handOver(hangsUpLate(parts, { outgoing, ...asked }));
  }
}
