// The signalling half of a leg inside its dialog: what the phone asks of us there, and what we ask of it.

import type { Outcome } from "../../sip/client.ts";
import type { Credentials } from "../../sip/credentials.ts";
import {
  acceptInDialog,
  type Dialog,
  movedBy,
  movedWith,
  type RequestOptions,
  requestInDialog,
  standingAt,
} from "../../sip/dialog.ts";
import type { Incoming } from "../../sip/incoming.ts";
import { type Header, headerOf, type Request, type Response } from "../../sip/message/message.ts";
import { SESSION_TYPES, sessionIn } from "../../sip/reading/multipart.ts";
import { contentRefusal } from "../../sip/reading/validate.ts";
import { speakerOf } from "../../sip/transport/speaker.ts";
import type { Destination, Source } from "../../sip/transport/transport.ts";
import { causeOfReason, type HangupCause, reasonFor } from "../calls/causes.ts";
import type { KeptDialog } from "../calls/kept-leg.ts";
import { Abilities } from "./abilities.ts";
import { BELIEVED, type DialogGuard } from "./dialog-guard.ts";
import { type DialogFacts, type DialogHears, type DialogParts, responseIn } from "./dialog-parts.ts";
import type { FlowBack } from "./flow-back.ts";
import { hopsOf } from "./hops.ts";
import { warningOf } from "./judge-offer.ts";
import { isBlockShort, keptDialog } from "./kept-dialog.ts";
import { keyIn } from "./key-info.ts";
import { ALLOW, SDP_TYPE } from "./own-headers.ts";
import { reinvite } from "./reinvite.ts";
import { Transfers } from "./transfers.ts";

export class DialogSide {
  readonly contact: string;
  /** To a phone whose connection ended with an earlier process. */
  way: FlowBack | undefined;
  readonly transfers = new Transfers({
    headers: () => this.headers(),
    notify: (options) => this.say("NOTIFY", options),
  });
  readonly #credentials: Credentials | undefined;
  readonly #parts: DialogParts;
  readonly #hears: DialogHears;
  readonly #guard: DialogGuard | undefined;
  readonly #abilities: Abilities;
  readonly #disown: () => void;
  #dialog: Dialog;
  #reoffering = false;
  #inviting = false;
  /** Numbers up to here are set aside for what is said before the next keeping. */
  #keptTo: number | undefined;

  constructor(parts: DialogParts, { dialog, contact, hears, credentials, guard, knows }: DialogFacts) {
    this.#guard = guard;
    this.#abilities = new Abilities(knows);
    this.#parts = parts;
    this.#credentials = credentials;
    this.#hears = hears;
    this.#dialog = dialog;
    this.contact = contact;
    this.#disown = parts.stack.own(dialog, (incoming) => this.#take(incoming));
  }

  dialog(): Dialog {
    return this.#dialog;
  }

  keep(): KeptDialog {
    const dialog = keptDialog(this.#dialog);
    this.#keptTo = dialog.localCSeq;
    return { dialog, contact: this.contact, ...this.#abilities.known() };
  }

  /** From now on it is reached there. */
  follow(flow: Destination): void {
    this.#dialog = { ...this.#dialog, flow };
    this.#hears.changed();
  }

  /** It has said that keys may be told to it by INFO. */
  knowsInfo(): boolean {
    return this.#abilities.known().knowsInfo;
  }

  headers(): Header[] {
    return [{ name: "Contact", value: this.contact }, ALLOW, { name: "Server", value: this.#parts.product }];
  }

  async ask(method: string, options: RequestOptions = {}): Promise<Outcome> {
    const answers = this.#credentials?.answers();
    for (let extra: Header[] = []; ; ) {
      const request = this.#request(method, {
        ...options,
        headers: [{ name: "User-Agent", value: this.#parts.product }, ...(options.headers ?? []), ...extra],
      });
      const outcome = await this.#parts.stack.ask(request, await this.nextHop());
      const again = "response" in outcome ? answers?.to(outcome.response, request) : undefined;
      if (!again) {
        if ("response" in outcome) this.#moveTo(movedBy(outcome.response, this.#dialog));
        return outcome;
      }
      extra = again;
    }
  }

  /** The same when nobody waits for the answer. */
  say(method: string, options: RequestOptions = {}): void {
    this.ask(method, options).catch((error: unknown) => this.#parts.mistake(error));
  }

  async nextHop(): Promise<Destination[]> {
    await this.way?.wait();
    return hopsOf(this.#parts, this.#dialog);
  }

  /** The same call once more, for the sake of a sign of life: UPDATE where the phone knows it, else a re-INVITE. */
  async refresh(sdp: string | undefined, headers: Header[]): Promise<Response | undefined> {
    const all = [{ name: "Contact", value: this.contact }, ...headers];
    if (this.#abilities.known().knowsUpdate || sdp === undefined)
      return responseIn(await this.ask("UPDATE", { headers: all }));
    return this.#reinvite(sdp, all);
  }

  /** One of the two is changing the call just now. */
  isBusy(): boolean {
    return this.#reoffering || this.#inviting;
  }

  /** Another kind of media; "busy" while the other side is changing something itself. */
  async change(sdp: string): Promise<Response | "busy" | undefined> {
    if (this.isBusy()) return "busy";
    const response = await this.#reinvite(sdp, [{ name: "Contact", value: this.contact }, ...this.#hears.renewing()]);
    if (response && response.status < 300) this.#hears.taken(response);
    return response;
  }

  /** Whatever the phone has told us of its abilities. */
  note(message: Request | Response): void {
    this.#abilities.note(message);
  }

  async #reinvite(sdp: string, headers: Header[]): Promise<Response | undefined> {
    this.#inviting = true;
    try {
      return await reinvite(
        {
          stack: this.#parts.stack,
          answers: this.#credentials?.answers(),
          request: (options) => this.#request("INVITE", options),
          nextHop: () => this.nextHop(),
          movedBy: (response) => {
            this.#moveTo(movedBy(response, this.#dialog));
            return this.#dialog;
          },
        },
        { headers, body: sdp },
      );
    } finally {
      this.#inviting = false;
    }
  }

  #request(method: string, options: RequestOptions): Request {
    const { request, dialog } = requestInDialog(this.#dialog, method, options);
    this.#dialog = dialog;
    if (isBlockShort(dialog, this.#keptTo)) this.#hears.changed();
    return request;
  }

  #followTo({ request, source }: Incoming, isProved: boolean): void {
    this.#dialog = isProved ? movedWith(this.#dialog, request, source) : standingAt(this.#dialog, source);
    this.#hears.moved(speakerOf(source).address);
    this.#hears.changed();
  }

  /** Where the other side is must be kept: a later process has nothing else to go by. */
  #moveTo(dialog: Dialog): void {
    const hasMoved = dialog.remoteTarget !== this.#dialog.remoteTarget;
    this.#dialog = dialog;
    if (hasMoved) this.#hears.changed();
  }

  bye(cause: HangupCause): void {
    const reason = reasonFor(cause);
    const headers = reason === undefined ? [] : [{ name: "Reason", value: reason }];
    // Whatever it answers, and even if it does not: for us the call is over.
    this.#farewell(headers).catch((error: unknown) => this.#parts.mistake(error));
    this.#disown();
  }

  /** Who is not where he said, because his connection ended with an earlier process, is told when he is back. */
  async #farewell(headers: Header[]): Promise<void> {
    const outcome = await this.ask("BYE", { headers });
    if (!("response" in outcome) && (await this.way?.comesBack())) await this.ask("BYE", { headers });
    this.way?.stop();
  }

  close(): void {
    this.#disown();
    this.way?.stop();
  }

  #take(incoming: Incoming): void {
    const { request, source } = incoming;
    const admitted = this.#guard?.admit(incoming, this.#dialog) ?? BELIEVED;
    if (admitted === "refused") return;
    const accepted = acceptInDialog(this.#dialog, request, admitted.onlyAt);
    if ("refused" in accepted) {
      incoming.reply(accepted.refused);
      return;
    }
    this.#moveTo(accepted.accepted);
    this.way?.heard(source);
    if (admitted.isMoved) this.#followTo(incoming, !admitted.onlyAt);
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
    SUBSCRIBE: (incoming) => this.transfers.renew(incoming),
    OPTIONS: (incoming) => void incoming.reply(200, { headers: this.headers() }),
    PRACK: (incoming) => void incoming.reply(this.#hears.prack(incoming.request) ? 200 : 481),
    NOTIFY: (incoming) => void incoming.reply(200),
    MESSAGE: (incoming) => void incoming.reply(415),
  };

  /** Whether it comes from whoever is at the other side. */
  isAckOf(ack: Request, source: Source): boolean {
    return this.#guard?.isAckOf(ack, source, this.#dialog) !== false;
  }

  #change(incoming: Incoming): void {
    incoming.acknowledgedBy((ack, source) => this.isAckOf(ack, source));
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
      if ("refused" in answer) return void incoming.reply(488, { headers: [warningOf(answer.refused)] });
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
    const digit = keyIn(incoming.request);
    if (digit !== undefined) this.#hears.digit(digit);
  }

  #refer(incoming: Incoming): void {
    const referral = this.transfers.take(incoming);
    if (referral) this.#hears.referred(referral);
  }
}
