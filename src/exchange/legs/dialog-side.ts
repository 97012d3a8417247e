// The signalling half of a leg inside its dialog: what the phone asks of us there, and what we ask of it.

import type { Outcome } from "../../sip/client.ts";
import {
  acceptInDialog,
  type Dialog,
  movedBy,
  nextHopOf,
  type RequestOptions,
  requestInDialog,
} from "../../sip/dialog.ts";
import { hasContent } from "../../sip/headers/content.ts";
import { cseqOf } from "../../sip/headers/cseq.ts";
import { allowOf } from "../../sip/headers/token-lists.ts";
import type { Incoming } from "../../sip/incoming.ts";
import { type Header, headerOf, type Message, type Request, type Response } from "../../sip/message/message.ts";
import { SESSION_TYPES, sessionIn } from "../../sip/reading/multipart.ts";
import { contentRefusal } from "../../sip/reading/validate.ts";
import type { Stack } from "../../sip/stack.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import type { Ending } from "../calls/call-machine.ts";
import { causeOfReason, type HangupCause, reasonFor } from "../calls/causes.ts";
import type { Referral } from "../calls/leg.ts";
import { readReferral } from "./referral.ts";

export type DialogParts = {
  stack: Stack;
  /** Looks a host name up; addresses never get here. */
  locate(uri: string): Promise<Destination[]>;
  product: string;
  /** Our own mistake, which must not cost anybody else his call. */
  mistake(error: unknown): void;
};

export type DialogHears = {
  /** The other side hung up. */
  bye(ending: Ending): void;
  /** A new offer, or with no body the request to hear ours: the answer's text, or that nothing fits. */
  reoffer(sdp: string | undefined): Promise<{ sdp: string } | { refused: string }>;
  /** The answer to an offer of ours, which came with the ACK. */
  acknowledged(sdp: string): void;
  /** A PRACK: whether it is for something we said. */
  prack(request: Request): boolean;
  /** What our 200 to a change says about signs of life. */
  renewed(request: Request): Header[];
  digit(digit: string): void;
  referred(referral: Referral): void;
};

export const ALLOW: Header = {
  name: "Allow",
  value: "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, REFER, NOTIFY, PRACK",
};
/** An answer; one whose type nobody named is taken for a session description, too. */
export const answerIn = (message: Message): string => sessionIn(message) ?? message.body;

export const SDP_TYPE: Header = { name: "Content-Type", value: "application/sdp" };

const DIGITS = /^\s*Signal\s*=\s*([0-9A-D*#])/im;

export class DialogSide {
  readonly contact: string;
  readonly #parts: DialogParts;
  readonly #hears: DialogHears;
  readonly #disown: () => void;
  #dialog: Dialog;
  #reoffering = false;
  #inviting = false;
  #knowsUpdate = false;

  constructor(parts: DialogParts, { dialog, contact, hears }: { dialog: Dialog; contact: string; hears: DialogHears }) {
    this.#parts = parts;
    this.#hears = hears;
    this.#dialog = dialog;
    this.contact = contact;
    this.#disown = parts.stack.own(dialog, (incoming) => this.#take(incoming));
  }

  dialog(): Dialog {
    return this.#dialog;
  }

  moveTo(dialog: Dialog): void {
    this.#dialog = dialog;
  }

  headers(): Header[] {
    return [{ name: "Contact", value: this.contact }, ALLOW, { name: "Server", value: this.#parts.product }];
  }

  async ask(method: string, options: RequestOptions = {}): Promise<Outcome> {
    const { request, dialog } = requestInDialog(this.#dialog, method, {
      ...options,
      headers: [{ name: "User-Agent", value: this.#parts.product }, ...(options.headers ?? [])],
    });
    this.#dialog = dialog;
    const outcome = await this.#parts.stack.ask(request, await this.nextHop());
    if ("response" in outcome) this.#dialog = movedBy(outcome.response, this.#dialog);
    return outcome;
  }

  /** The same when nobody waits for the answer. */
  say(method: string, options: RequestOptions = {}): void {
    this.ask(method, options).catch((error: unknown) => this.#parts.mistake(error));
  }

  async nextHop(): Promise<Destination[]> {
    const hop = nextHopOf(this.#dialog);
    return typeof hop === "string" ? this.#parts.locate(hop) : [hop];
  }

  /** The same call once more, for the sake of a sign of life: UPDATE where the phone knows it, else a re-INVITE. */
  async refresh(sdp: string | undefined, headers: Header[]): Promise<Response | undefined> {
    const all = [{ name: "Contact", value: this.contact }, ...headers];
    if (this.#knowsUpdate || sdp === undefined) return responseIn(await this.ask("UPDATE", { headers: all }));
    return this.#reinvite(sdp, all);
  }

  /** One of the two is changing the call just now. */
  isBusy(): boolean {
    return this.#reoffering || this.#inviting;
  }

  /** Another kind of media; "busy" while the other side is changing something itself. */
  async change(sdp: string): Promise<Response | "busy" | undefined> {
    if (this.isBusy()) return "busy";
    return this.#reinvite(sdp, [{ name: "Contact", value: this.contact }]);
  }

  /** Whatever the phone has told us of its abilities. */
  note(message: Request | Response): void {
    const methods = allowOf(message);
    if (methods.length > 0) this.#knowsUpdate = methods.includes("UPDATE");
  }

  async #reinvite(sdp: string, headers: Header[]): Promise<Response | undefined> {
    const { request, dialog } = requestInDialog(this.#dialog, "INVITE", { headers: [...headers, SDP_TYPE], body: sdp });
    this.#dialog = dialog;
    const hops = await this.nextHop();
    this.#inviting = true;
    return new Promise((resolve) => {
      const outgoing = this.#parts.stack.send(request, hops, (outcome) => {
        if (outcome.is === "provisional") return;
        this.#inviting = false;
        if (outcome.is === "success") {
          this.#dialog = movedBy(outcome.response, this.#dialog);
          const ack = requestInDialog(this.#dialog, "ACK", { cseq: cseqOf(request).number });
          if (hops[0]) outgoing.sendAck(ack.request, hops[0]);
          outgoing.handOver(() => undefined); // within a dialog there is nobody else to answer
        }
        resolve(responseIn(outcome));
      });
    });
  }

  bye(cause: HangupCause): void {
    const reason = reasonFor(cause);
    // Whatever it answers, and even if it does not: for us the call is over.
    this.say("BYE", { headers: reason === undefined ? [] : [{ name: "Reason", value: reason }] });
    this.close();
  }

  close(): void {
    this.#disown();
  }

  #take(incoming: Incoming): void {
    const { request } = incoming;
    const accepted = acceptInDialog(this.#dialog, request);
    if ("refused" in accepted) {
      incoming.reply(accepted.refused);
      return;
    }
    this.#dialog = accepted.accepted;
    const act = Object.hasOwn(this.#acts, request.method) ? this.#acts[request.method] : undefined;
    if (act) act(incoming);
    else incoming.reply(501, { headers: [ALLOW] });
  }

  readonly #acts: Record<string, (incoming: Incoming) => void> = {
    BYE: (incoming) => {
      incoming.reply(200);
      this.close();
      const reason = headerOf(incoming.request, "Reason");
      this.#hears.bye({ cause: (reason === undefined ? undefined : causeOfReason(reason)) ?? "NORMAL_CLEARING" });
    },
    INVITE: (incoming) => this.#change(incoming),
    UPDATE: (incoming) => this.#change(incoming),
    ACK: ({ request }) => {
      this.#heardAnswer(request);
    },
    INFO: (incoming) => this.#info(incoming),
    REFER: (incoming) => this.#refer(incoming),
    OPTIONS: (incoming) => void incoming.reply(200, { headers: this.headers() }),
    PRACK: (incoming) => void incoming.reply(this.#hears.prack(incoming.request) ? 200 : 481),
    NOTIFY: (incoming) => void incoming.reply(200),
    MESSAGE: (incoming) => void incoming.reply(415),
  };

  #change(incoming: Incoming): void {
    this.#reoffer(incoming).catch((error: unknown) => {
      incoming.reply(500);
      this.#parts.mistake(error);
    });
  }

  async #reoffer(incoming: Incoming): Promise<void> {
    const { request } = incoming;
    // RFC 3261 14.2: one change at a time; the other side tries again in a moment.
    if (this.#reoffering) return void incoming.reply(500, { headers: [{ name: "Retry-After", value: "1" }] });
    // RFC 3261 14.1: two changes that cross are both refused, and tried again at different times.
    if (this.#inviting && request.method === "INVITE") return void incoming.reply(491);
    const refusal = contentRefusal(request, SESSION_TYPES);
    if (refusal) return void incoming.reply(refusal.status, { headers: refusal.headers });
    this.#reoffering = true;
    try {
      const offer = sessionIn(request);
      if (offer === undefined && request.method === "UPDATE")
        return void incoming.reply(200, { headers: [...this.headers(), ...this.#hears.renewed(request)] });
      const answer = await this.#hears.reoffer(offer);
      if ("refused" in answer) return void incoming.reply(488);
      if (offer === undefined) this.#awaitAnswer(incoming);
      const headers = [...this.headers(), ...this.#hears.renewed(request), SDP_TYPE];
      incoming.reply(200, { headers, body: answer.sdp });
    } finally {
      this.#reoffering = false;
    }
  }

  #awaitAnswer(incoming: Incoming): void {
    incoming.onAck((ack) => {
      if (ack !== "never") this.#heardAnswer(ack);
    });
  }

  #heardAnswer(ack: Request): void {
    const sdp = sessionIn(ack);
    if (sdp !== undefined) this.#hears.acknowledged(sdp);
  }

  #info(incoming: Incoming): void {
    incoming.reply(200);
    const digit = digitIn(incoming.request);
    if (digit !== undefined) this.#hears.digit(digit);
  }

  #refer(incoming: Incoming): void {
    const referral = readReferral(incoming.request);
    if (!referral) return void incoming.reply(400);
    incoming.reply(202, { headers: this.headers() });
    this.#hears.referred(referral);
  }
}

function responseIn(outcome: Outcome): Response | undefined {
  return "response" in outcome ? outcome.response : undefined;
}

/** Keys sent as INFO, in the two dialects that phones use. */
function digitIn(request: Request): string | undefined {
  if (hasContent(request, "application/dtmf-relay")) return DIGITS.exec(request.body.slice(0, 200))?.[1];
  if (!hasContent(request, "application/dtmf")) return undefined;
  const key = request.body.slice(0, 10).trim();
  return /^[0-9A-D*#]$/.test(key) ? key : undefined;
}
