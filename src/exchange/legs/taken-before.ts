// An INVITE that an earlier process took. Where its connection has ended with that process, what we have to say waits until the
// phone is back; and at once it is told again that it rings, to learn whether it still wants to hear it.

import type { Incoming } from "../../sip/incoming.ts";
import type { KeptTaken } from "../../sip/kept-invite.ts";
import type { ResponseOptions } from "../../sip/respond.ts";
import { type CameBack, FlowBack } from "./flow-back.ts";
import type { LegParts } from "./leg-parts.ts";

export function takenBefore(
  { stack, clock }: Pick<LegParts, "stack" | "clock">,
  kept: KeptTaken,
  cameBack: CameBack | undefined,
): Incoming {
  const incoming = stack.goOnTaking(kept);
  if (kept.source.transport === "udp") return incoming;
  const way = cameBack && new FlowBack(clock, cameBack, (flow) => incoming.follow(flow));
  if (!way) clock.after(0, () => incoming.repeat());
  return way ? waitingFor(way, incoming) : incoming;
}

function waitingFor(way: FlowBack, incoming: Incoming): Incoming {
  let isHere = false;
  void way.wait().then(() => {
    if (!isHere) incoming.repeat();
    isHere = true;
  });
  const say = (status: number, options?: ResponseOptions) => {
    const isSaid = incoming.reply(status, options);
    if (status >= 200) way.stop();
    return isSaid;
  };
  const reply = (status: number, options?: ResponseOptions) => {
    if (isHere) return say(status, options);
    void way.wait().then(() => say(status, options));
    return true;
  };
  return {
    request: incoming.request,
    source: incoming.source,
    localTag: incoming.localTag,
    reply,
    respond: (response) => incoming.respond(response),
    onCancel: (handle) =>
      incoming.onCancel((cancel) => {
        // He is where that came from.
        isHere = true;
        handle(cancel);
      }),
    onAck: (handle) => incoming.onAck(handle),
    acknowledgedBy: (isTheirs) => incoming.acknowledgedBy(isTheirs),
    onLost: (handle) => incoming.onLost(handle),
    keep: () => incoming.keep(),
    repeat: () => (isHere ? incoming.repeat() : undefined),
    follow: (destination) => incoming.follow(destination),
  };
}
