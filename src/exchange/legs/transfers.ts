// The REFERs of one phone within its call: which are accepted, and the NOTIFYs about them (RFC 3515, RFC 4488).

import type { RequestOptions } from "../../sip/dialog.ts";
import { cseqOf } from "../../sip/headers/cseq.ts";
import { event, subscriptionState } from "../../sip/headers/event.ts";
import { expiresOf } from "../../sip/headers/seconds.ts";
import type { Incoming } from "../../sip/incoming.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import type { Header } from "../../sip/message/message.ts";
import { transferNews, wantsNews } from "../../sip/refer.ts";
import type { Ending } from "../calls/call-machine.ts";
import { statusFor } from "../calls/causes.ts";
import type { Referral } from "../calls/leg.ts";
import { readReferral } from "./referral.ts";

export type TransferNews = Ending | "rings" | undefined;

type TransfersParts = {
  /** Contact and who we are. */
  headers(): Header[];
  notify(options: RequestOptions): void;
};

/** Whoever has not heard how it went by then does not wait for it any more. */
const NEWS_SECONDS = 180;
const SIGNS = { trying: 100, ringing: 180, done: 200 };

export class Transfers {
  readonly #parts: TransfersParts;
  /** The one that is under way, if whoever asked wants to hear of it. */
  #watched: { id: string | undefined } | undefined;
  #lastStatus = 0;
  #count = 0;

  constructor(parts: TransfersParts) {
    this.#parts = parts;
  }

  /** Undefined: it has been refused. */
  take(incoming: Incoming): Referral | undefined {
    const { request } = incoming;
    const referral = readReferral(request);
    if (!referral) {
      incoming.reply(400);
      return undefined;
    }
    const isWatched = wantsNews(request);
    const unwatched: Header[] = isWatched ? [] : [{ name: "Refer-Sub", value: "false" }];
    incoming.reply(202, { headers: [...this.#parts.headers(), ...unwatched] });
    // The first of a dialog needs no name, and some phones know none; every later one has one (RFC 3515 2.4.6).
    const id = this.#count++ === 0 ? undefined : String(cseqOf(request).number);
    this.#watched = isWatched ? { id } : undefined;
    this.#lastStatus = 0;
    this.#tell(SIGNS.trying);
    return referral;
  }

  /** A SUBSCRIBE about it: more time, or no more news. */
  renew(incoming: Incoming): void {
    const asked = expiresOf(incoming.request);
    const seconds = asked === undefined || isMalformed(asked) ? NEWS_SECONDS : Math.min(asked, NEWS_SECONDS);
    if (!this.#watched) return void incoming.reply(481);
    incoming.reply(200, { headers: [...this.#parts.headers(), { name: "Expires", value: String(seconds) }] });
    if (seconds === 0) this.#last(this.#lastStatus, "timeout");
    else this.#tell(this.#lastStatus);
  }

  tell(news: TransferNews): void {
    if (news === "rings") {
      if (this.#lastStatus < SIGNS.ringing) this.#tell(SIGNS.ringing);
    } else this.#last(news ? (news.sip?.status ?? statusFor(news.cause)) : SIGNS.done, "noresource");
  }

  #tell(status: number): void {
    this.#lastStatus = status;
    this.#notify(status, subscriptionState({ state: "active", expiresSeconds: NEWS_SECONDS }));
  }

  #last(status: number, reason: string): void {
    this.#notify(status, subscriptionState({ state: "terminated", reason }));
    this.#watched = undefined;
  }

  #notify(status: number, state: Header): void {
    if (!this.#watched) return;
    const { headers, body } = transferNews(status);
    const about = event({ package: "refer", id: this.#watched.id });
    this.#parts.notify({ headers: [about, state, ...this.#parts.headers(), ...headers], body });
  }
}
