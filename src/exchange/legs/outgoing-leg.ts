// A party that we call: an INVITE with our offer, its ringing, its answer or refusal, then its dialog.

import type { CodecName, StreamId } from "../../media/engine.ts";
import type { Outcome, Outgoing } from "../../sip/client.ts";
import { type Dialog, dialogAsCaller } from "../../sip/dialog.ts";
import { answerChallenge, bestChallenge, type ClientAccount } from "../../sip/digest-answer.ts";
import { toOf } from "../../sip/headers/addresses.ts";
import { challengesOf, proxyChallengesOf } from "../../sip/headers/auth.ts";
import { cseqOf } from "../../sip/headers/cseq.ts";
import { tagOf } from "../../sip/headers/name-address.ts";
import { productOf } from "../../sip/headers/product.ts";
import { newCallId, newTag } from "../../sip/headers/random.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import { type Header, headerOf, type Request, type Response } from "../../sip/message/message.ts";
import { textOf } from "../../sip/message/text.ts";
import { sessionIn } from "../../sip/reading/multipart.ts";
import { prackFor } from "../../sip/reliable.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import type { Ending } from "../calls/call-machine.ts";
import { causeOfEnding, type HangupCause, reasonFor } from "../calls/causes.ts";
import type { Leg, LegImage, Party } from "../calls/leg.ts";
import { ALLOW, answerIn, SDP_TYPE } from "./dialog-side.ts";
import { acknowledge, hangsUpLate, hangUp } from "./late-answer.ts";
import { LegCore } from "./leg-core.ts";
import { contactAt, type LegParts } from "./leg-parts.ts";

export type OutgoingOptions = {
  id: string;
  party: Party;
  codecs: readonly CodecName[];
  near?: StreamId | undefined;
  /** It telephones over a WebSocket, so its media are WebRTC. */
  isBrowser?: boolean | undefined;
  t38?: boolean | undefined;
  left?: (() => void) | undefined;
  /** Request-URI. */
  uri: string;
  /** Tried in order while servers are down. */
  destinations: readonly [Destination, ...Destination[]];
  /** Later requests go the same way, because the phone's own address leads nowhere from here. */
  keepsFlow: boolean;
  from: string;
  to: string;
  /** Route, identity, privacy, auto-answer. */
  headers: readonly Header[];
  /** Answers a carrier's 401 or 407. */
  account?: ClientAccount | undefined;
};

const lost: Record<"timeout" | "unreachable", HangupCause> = {
  timeout: "NO_USER_RESPONSE",
  unreachable: "NETWORK_OUT_OF_ORDER",
};

export function outgoingLeg(parts: LegParts, options: OutgoingOptions): Leg {
  return new OutgoingLeg(parts, options);
}

class OutgoingLeg implements Leg {
  readonly id: string;
  readonly party: Party;
  readonly sipCallId: string;
  readonly direction = "out";
  readonly over: Promise<void>;
  readonly image: LegImage;
  readonly #core: LegCore;
  readonly #options: OutgoingOptions;
  #invite: Request;
  #outgoing: Outgoing | undefined;
  #reached: string | undefined;
  #rang = false;
  #lastRSeq: number | undefined;
  #previewed: Promise<boolean> | undefined;
  #challenged = false;

  constructor(parts: LegParts, options: OutgoingOptions) {
    this.id = options.id;
    this.party = options.party;
    this.#options = options;
    const peer = { address: options.destinations[0].address, userAgent: "" };
    this.#core = new LegCore(parts, { ...options, shown: options.from, peer, end: (cause) => this.end(cause) });
    this.over = this.#core.over;
    this.image = this.#core.image;
    this.sipCallId = newCallId(parts.random);
    this.#invite = this.#firstInvite();
    void this.over.then(() => this.#letGo());
    this.#core.attempt(this.#core.media.offer().then((sdp) => this.#call(sdp)));
  }

  stream = () => this.#core.media.stream();
  codec = () => this.#core.media.codec();
  isAnswered = () => this.#core.facts.answerMs !== undefined;
  facts = () => this.#core.facts;
  dialog = () => this.#core.dialog?.dialog();
  ask: Leg["ask"] = (method, options) => this.#core.dialog?.say(method, options);
  listen: Leg["listen"] = (hear) => this.#core.events.listen(hear);
  meet = (address: string) => this.#core.line.meet(address);
  tellTransfer = (ending: Ending | undefined) => this.#core.tellTransfer(ending);
  /** We called it: there is nothing to ring, and nothing to answer. */
  ring = () => undefined;
  answer = () => Promise.resolve(this.isAnswered());
  letHear = () => Promise.resolve(this.stream() !== undefined);

  end(cause: HangupCause): void {
    if (this.#core.isGone) return;
    const answered = this.isAnswered();
    this.#core.leave();
    if (answered) this.#core.dialog?.bye(cause);
    else {
      this.#outgoing?.cancel(reasonFor(cause));
      this.#core.dialog?.close();
    }
  }

  pickUp(): boolean {
    if (this.#core.isGone || this.isAnswered() || !this.#core.dialog) return false;
    this.#core.dialog.say("NOTIFY", {
      headers: [
        { name: "Event", value: "talk" },
        { name: "Subscription-State", value: "active" },
      ],
    });
    return true;
  }

  #firstInvite(): Request {
    const { uri, from, to, headers, destinations } = this.#options;
    const { stack, random, product } = this.#core.parts;
    return {
      is: "request",
      method: "INVITE",
      uri,
      headers: [
        { name: "From", value: `${from};tag=${newTag(random)}` },
        { name: "To", value: to },
        { name: "Call-ID", value: this.sipCallId },
        { name: "CSeq", value: "1 INVITE" },
        { name: "Contact", value: contactAt(stack, destinations[0]) },
        ALLOW,
        { name: "User-Agent", value: product },
        { name: "Supported", value: "100rel, replaces" },
        ...this.#core.session.offer(),
        ...headers,
        SDP_TYPE,
      ],
      body: "",
    };
  }

  #call(sdp: string): void {
    if (this.#core.isGone) return;
    this.#invite = { ...this.#invite, body: sdp };
    this.#send();
  }

  #send(): void {
    const invite = this.#invite;
    this.#outgoing = this.#core.parts.stack.send(invite, this.#options.destinations, (outcome) => {
      if (invite === this.#invite) this.#hear(outcome);
    });
    this.#options.left?.();
  }

  #hear(outcome: Outcome) {
    if (!("response" in outcome)) return this.#core.gone({ cause: lost[outcome.is] });
    const { response, source } = outcome;
    this.#core.facts.address = source.address;
    const product = productOf(response);
    if (product !== undefined) this.#core.facts.userAgent = textOf(product);
    if (outcome.is === "provisional") return this.#progress(response);
    if (outcome.is === "failure") return this.#refused(response);
    return this.#core.attempt(this.#accepted(response));
  }

  #progress(response: Response): void {
    if (response.status === 100 || this.#core.isGone) return;
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
    const owed = prackFor(side.dialog(), response, this.#lastRSeq);
    if (!owed.due) return;
    this.#lastRSeq = owed.rseq;
    side.moveTo(owed.dialog);
    this.#core.attempt(side.nextHop().then((hops) => void this.#core.parts.stack.ask(owed.prack, hops)));
  }

  async #preview(sdp: string): Promise<boolean> {
    const agreed = await this.#core.media.understand(sdp);
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
    if (this.#outgoing) await acknowledge(this.#core.parts, this.#outgoing, dialog);
    // A second fork that answered, or an answer that crossed our CANCEL: it is picked up and hung up.
    if (!ours || this.#core.isGone) return hangUp(this.#core.parts, dialog);
    this.#core.answered();
    this.#core.session.accepted(response);
    await this.#previewed;
    const agreed = previewed ? undefined : await this.#core.media.understand(answerIn(response));
    if (agreed && "refused" in agreed) return this.#core.fail("INCOMPATIBLE_DESTINATION");
    this.#core.settled();
    this.#core.events.say({ is: "answered" });
  }

  #refused(response: Response): void {
    if (this.#answerChallenge(response) || this.#agreeOnSession(response)) return;
    const { status, reason: phrase } = response;
    const cause = causeOfEnding({ status, reason: headerOf(response, "Reason") });
    const moved = status >= 300 && status < 400;
    this.#core.gone({ cause: moved ? "REDIRECTION_TO_NEW_DESTINATION" : cause, sip: { status, phrase } });
  }

  /** A 422 says how often it wants signs of life. */
  #agreeOnSession(response: Response): boolean {
    if (response.status !== 422 || this.#core.isGone || !this.#core.session.adapt(response)) return false;
    const others = this.#invite.headers.filter(({ name }) => name !== "Session-Expires" && name !== "Min-SE");
    const session = this.#core.session.offer().filter(({ name }) => name !== "Supported");
    this.#again([...others, ...session]);
    return true;
  }

  #again(headers: Header[]): void {
    const { number } = cseqOf(this.#invite);
    const next = headers.map((it) => (it.name === "CSeq" ? { name: "CSeq", value: `${number + 1} INVITE` } : it));
    this.#invite = { ...this.#invite, headers: next };
    this.#send();
  }

  #answerChallenge(response: Response): boolean {
    const { status } = response;
    const { account } = this.#options;
    if ((status !== 401 && status !== 407) || !account || this.#challenged || this.#core.isGone) return false;
    const challenge = bestChallenge(status === 401 ? challengesOf(response) : proxyChallengesOf(response));
    if (!challenge) return false;
    const { uri, headers } = this.#invite;
    const fresh = { nc: 1, cnonce: newTag(this.#core.parts.random) };
    const request = { method: "INVITE", uri };
    const value = answerChallenge(this.#core.parts.hash, { challenge, account, request, fresh });
    if (value === undefined) return false;
    this.#challenged = true;
    const name = status === 401 ? "Authorization" : "Proxy-Authorization";
    this.#again([...headers, { name, value }]);
    return true;
  }

  #enter(response: Response): void {
    const tag = tagOf(toOf(response));
    if (tag === undefined || (tag === this.#reached && response.status < 200)) return;
    const dialog = this.#dialogOf(response);
    if (!dialog) return;
    this.#reached = tag;
    this.#core.enter(dialog, this.#options.destinations[0]);
  }

  #dialogOf(response: Response): Dialog | undefined {
    const dialog = dialogAsCaller(this.#invite, response, this.#flow());
    return isMalformed(dialog) ? undefined : dialog;
  }

  #flow(): Destination | undefined {
    return this.#options.keepsFlow ? this.#options.destinations[0] : undefined;
  }

  /** The transaction stays for half a minute after the leg. */
  #letGo(): void {
    const outgoing = this.#outgoing;
    outgoing?.handOver(hangsUpLate(this.#core.parts, { outgoing, invite: this.#invite, flow: this.#flow() }));
  }
}
