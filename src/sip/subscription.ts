// The notifier's side of a subscription (RFC 6665): message waiting, busy lamps, presence, and the news of a REFER.

import { type Cancel, type Clock, LONG_AGO, until, within } from "../clock.ts";
import { event, subscriptionState } from "./headers/event.ts";
import type { Header, Octets } from "./message/message.ts";

/** What a NOTIFY tells, beside the state of the subscription itself. */
export type News = { headers: Header[]; body: Octets };

export type SubscriptionEnd = "timeout" | "deactivated" | "noresource" | "rejected" | "giveup";

export type SubscriptionOptions = {
  clock: Clock;
  /** `id` tells apart several in one dialog; for REFER it is the CSeq number of the request. */
  event: { package: string; id?: string };
  seconds: number;
  /** What is to be told now; asked at each NOTIFY, so that nobody hears what is no longer so. */
  news(): News;
  /**
   * Sends a NOTIFY of these in the dialog, Contact added; what became of it comes back by `notified`.
   * The dialog stays its owner's: a REFER's news share it with a call.
   */
  send(notify: News): void;
  /** It is over, for whatever reason, and the last NOTIFY has been handed to `send`. */
  ended(): void;
};

export type Subscription = {
  /** The other side sent a SUBSCRIBE again; 0 seconds end it. */
  renewed(seconds: number): void;
  /** Something changed: a NOTIFY goes out, or is remembered until the one on its way has been answered. */
  changed(): void;
  /** What became of the NOTIFY. Refused or unheard, the subscriber is gone (§4.2.2). */
  notified(outcome: "heard" | "gone"): void;
  /** Ends it from our side, with a last word. */
  end(reason: SubscriptionEnd): void;
};

/** One NOTIFY at a time: a phone that answers slowly gets the latest state, not a queue of old ones. */
export function openSubscription(options: SubscriptionOptions): Subscription {
  let expires = LONG_AGO;
  let expiry: Cancel = () => {};
  let isOver = false;
  let isUnderWay = false;
  let isStale = false;
  renewed(options.seconds);
  return { renewed, changed, notified, end };

  function renewed(seconds: number) {
    if (isOver) return;
    expiry();
    if (seconds === 0) return end("timeout");
    expires = within(options.clock, seconds * 1_000);
    expiry = options.clock.after(seconds * 1_000, () => end("timeout"));
    changed();
  }

  function changed() {
    if (isOver) return;
    isStale = isUnderWay;
    if (isUnderWay) return;
    const expiresSeconds = Math.max(0, Math.round(until(options.clock, expires) / 1_000));
    notify(subscriptionState({ state: "active", expiresSeconds }));
  }

  function notified(outcome: "heard" | "gone") {
    isUnderWay = false;
    if (isOver) return;
    if (outcome === "gone") close();
    else if (isStale) changed();
  }

  function end(reason: SubscriptionEnd) {
    if (isOver) return;
    notify(subscriptionState({ state: "terminated", reason }));
    close();
  }

  function close() {
    isOver = true;
    expiry();
    options.ended();
  }

  function notify(state: Header) {
    isUnderWay = true;
    const { headers, body } = options.news();
    options.send({ headers: [event(options.event), state, ...headers], body });
  }
}
