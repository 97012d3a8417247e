// An INVITE that an earlier process sent. Where its connection has ended with that process, what we have to say about it waits
// until the phone is back, and goes where it is then.

import type { Hear, Outgoing } from "../../sip/client.ts";
import type { KeptAsked } from "../../sip/kept-invite.ts";
import type { Destination } from "../../sip/transport/transport.ts";
import { type CameBack, FlowBack } from "./flow-back.ts";
import type { LegParts } from "./leg-parts.ts";

type Asker = { cameBack: CameBack | undefined; hear: Hear; follow(flow: Destination): void };

export function askedBefore(
  { stack, clock }: Pick<LegParts, "stack" | "clock">,
  kept: KeptAsked,
  { cameBack, hear, follow }: Asker,
): Outgoing {
  if (!cameBack) return stack.goOnAsking(kept, hear);
  const outgoing = stack.goOnAsking(kept, (outcome) => {
    if ("source" in outcome) way.heard(outcome.source);
    hear(outcome);
  });
  const way = new FlowBack(clock, cameBack, (flow) => {
    outgoing.follow(flow);
    follow(flow);
  });
  let isCancelled = false;
  return {
    cancel(reason) {
      isCancelled = true;
      const cancel = () => {
        outgoing.cancel(reason);
        way.stop();
      };
      void way.wait().then(cancel);
    },
    sendAck: (ack, destination) => outgoing.sendAck(ack, destination),
    keep: () => outgoing.keep(),
    follow: (destination) => outgoing.follow(destination),
    handOver(late) {
      if (!isCancelled) way.stop();
      outgoing.handOver(late);
    },
  };
}
