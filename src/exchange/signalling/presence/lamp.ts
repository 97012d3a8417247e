// One subscription of one phone: its dialog with us, and the NOTIFYs that go out in it.

import type { Clock } from "../../../clock.ts";
import { contactFor } from "../../../sip/contact.ts";
import { acceptInDialog, confirmed, type Dialog, movedWith, nextHopOf, requestInDialog } from "../../../sip/dialog.ts";
import { eventOf } from "../../../sip/headers/event.ts";
import { expiresOf } from "../../../sip/headers/seconds.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import type { Header } from "../../../sip/message/message.ts";
import type { Stack } from "../../../sip/stack.ts";
import { type News, openSubscription, type Subscription } from "../../../sip/subscription.ts";
import { backTo } from "../../../sip/transport/destination.ts";
import type { Resolve } from "../../../sip/transport/resolve.ts";
import type { Destination } from "../../../sip/transport/transport.ts";

export type LampParts = { clock: Clock; stack: Pick<Stack, "ask" | "own" | "doorTo">; resolve: Resolve };

export type LampOptions = {
  /** The SUBSCRIBE, which is answered here. */
  incoming: Incoming;
  dialog: Dialog;
  /** The user part of our Contact. */
  contactUser: string;
  news(): News;
  over(): void;
  /** Whether it is the subscriber who asks again; who is not has been answered. */
  isSubscriber(again: Incoming): boolean;
};

export const SUBSCRIPTION_SECONDS = { least: 60, most: 3_600 };

/** What a SUBSCRIBE asks for, at most what we give. */
export function secondsAsked({ request }: Incoming): number {
  const asked = expiresOf(request);
  const { most } = SUBSCRIPTION_SECONDS;
  return asked === undefined || isMalformed(asked) ? most : Math.min(asked, most);
}

export function openLamp(
  parts: LampParts,
  { incoming, contactUser, news, over, isSubscriber, ...options }: LampOptions,
): Subscription {
  const contact = contactHeaders(parts, incoming, contactUser);
  let dialog = whereAsked(confirmed(options.dialog), incoming);
  const disown = parts.stack.own(dialog, hearAgain);
  accept(incoming);
  const subscription: Subscription = openSubscription({
    clock: parts.clock,
    event: eventNamedIn(incoming),
    seconds: secondsAsked(incoming),
    news,
    send: (notify) => void send(notify),
    ended() {
      disown();
      over();
    },
  });
  return subscription;

  function accept(subscribe: Incoming): void {
    subscribe.reply(200, { headers: [{ name: "Expires", value: String(secondsAsked(subscribe)) }, ...contact] });
  }

  async function send({ headers, body }: News): Promise<void> {
    const made = requestInDialog(dialog, "NOTIFY", { headers: [...contact, ...headers], body });
    dialog = made.dialog;
    const hop = nextHopOf(dialog);
    const to: readonly Destination[] = typeof hop === "string" ? await parts.resolve(hop) : [hop];
    const outcome = to.length > 0 ? await parts.stack.ask(made.request, to) : undefined;
    subscription.notified(outcome?.is === "success" ? "heard" : "gone");
  }

  function hearAgain(again: Incoming): void {
    const accepted = acceptInDialog(dialog, again.request);
    if ("refused" in accepted) again.reply(accepted.refused);
    else if (again.request.method !== "SUBSCRIBE") again.reply(405);
    else if (isSubscriber(again)) {
      dialog = whereAsked(movedWith(accepted.accepted, again.request, again.source), again);
      accept(again);
      subscription.renewed(secondsAsked(again));
    }
  }
}

/** Whoever asked has proved that he is there, and nothing else: what he names may be anybody's. */
function whereAsked(dialog: Dialog, { source }: Pick<Incoming, "source">): Dialog {
  const hop = nextHopOf(dialog);
  // An edge is reached by what it has recorded.
  if (source.client || (typeof hop === "object" && hop.address === source.address)) return dialog;
  return { ...dialog, flow: backTo(source) };
}

function eventNamedIn({ request }: Incoming): { package: string; id?: string } {
  const event = eventOf(request);
  if (event === undefined || isMalformed(event)) throw new Error("a SUBSCRIBE without an event gets no lamp");
  return { package: event.package, ...(event.id !== undefined && { id: event.id }) };
}

/** The SUBSCRIBE came in by a door, so there is one. */
function contactHeaders({ stack }: LampParts, { source }: Incoming, user: string): Header[] {
  const value = contactFor(stack, user, [source]);
  return value === undefined ? [] : [{ name: "Contact", value }];
}
