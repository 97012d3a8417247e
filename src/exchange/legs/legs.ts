// Opens the legs of calls: of whoever calls us, and of those we ring.

import { randomUUID } from "node:crypto";
import type { Log } from "../../log.ts";
import type { Incoming } from "../../sip/incoming.ts";
import type { Stack } from "../../sip/stack.ts";
import type { KeptLeg, KeptRinging } from "../calls/kept-leg.ts";
import type { Leg } from "../calls/leg.ts";
import { CalledLegs } from "./called-legs.ts";
import { type CallingLeg, type IncomingOptions, incomingLeg } from "./incoming-leg.ts";
import type { LegParts } from "./leg-parts.ts";
import { legStack } from "./leg-stack.ts";
import { outgoingLeg } from "./outgoing-leg.ts";
import type { OutgoingOptions } from "./outgoing-options.ts";
import { type ResumedLine, resumedLeg } from "./resumed-leg.ts";
import { resumedRinging } from "./resumed-ringing.ts";
import { openStreamHub } from "./stream-hub.ts";

export type Legs = {
  /** Undefined when the INVITE cannot make a dialog; it has then been refused. */
  incoming(incoming: Incoming, who: Omit<IncomingOptions, "id">): CallingLeg | undefined;
  outgoing(callUuid: string, to: Omit<OutgoingOptions, "id">): Leg;
  /** One that an earlier process began, its stream open again. */
  resumed(callUuid: string, kept: KeptLeg, line?: ResumedLine): Leg;
  /** The same of one that was not answered. */
  resumedRinging(callUuid: string, kept: KeptRinging, line?: ResumedLine): Leg;
  /** Whom we have called for calls. */
  readonly called: Pick<CalledLegs, "of" | "left" | "leave" | "takeUp" | "letGo">;
  /** The SIP messages of this leg belong to that call: its ladder shows them. */
  traced(callUuid: string, leg: Leg): void;
  /** Our own mistake, which must not cost anybody else his call. */
  mistake(error: unknown): void;
  /** From now on legs neither hear nor say anything: the next process does. */
  fallSilent(): void;
  /** Kept once every message that has come is read. */
  emptied(): Promise<void>;
};

type LegsParts = Omit<LegParts, "mistake" | "streams" | "stack"> & {
  stack: Stack;
  log: Log;
  traced(callUuid: string, sipCallId: string): void;
};

export function openLegs({ log, traced: join, ...means }: LegsParts): Legs {
  const mistake = (error: unknown) =>
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "a leg of a call broke");
  let silent = false;
  const isSilent = () => silent;
  const streams = openStreamHub(means.media, isSilent);
  const parts: LegParts = { ...means, stack: legStack(means.stack, isSilent), streams, mistake };
  const traced = (callUuid: string, { sipCallId }: Leg) => join(callUuid, sipCallId);
  const called = new CalledLegs();
  return {
    traced,
    mistake,
    called,
    incoming: (incoming, who) => incomingLeg(parts, incoming, { ...who, id: randomUUID() }),
    outgoing(callUuid, to) {
      const leg = outgoingLeg(parts, { ...to, id: randomUUID() });
      called.add(callUuid, leg);
      traced(callUuid, leg);
      return leg;
    },
    resumed(callUuid, kept, line) {
      const leg = resumedLeg(parts, kept, line);
      traced(callUuid, leg);
      return leg;
    },
    resumedRinging(callUuid, kept, line = {}) {
      const leg = resumedRinging(parts, kept, line);
      leg.line = kept.line;
      traced(callUuid, leg);
      return leg;
    },
    fallSilent() {
      means.stack.hush();
      silent = true;
    },
    emptied: () => means.stack.emptied(),
  };
}
