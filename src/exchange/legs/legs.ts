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
import { type Mute, openSilence } from "./leg-silence.ts";
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
  /** The same of those of one call, with whoever else would be called for it: another machine goes on with it. */
  letGo(callUuid: string, legs: readonly Leg[]): void;
  /** Kept once every message that has come is read. */
  emptied(): Promise<void>;
};

type LegsParts = Omit<LegParts, "mistake" | "streams" | "stack"> & {
  stack: Stack;
  log: Log;
  traced(callUuid: string, sipCallId: string, leg: { over: Promise<void>; resumed?: boolean }): void;
};

export function openLegs({ log, traced: join, ...means }: LegsParts): Legs {
  const mistake = (error: unknown) =>
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "a leg of a call broke");
  const stranger: LegParts["stranger"] = (what) =>
    log.warn(
      what,
      "somebody who is elsewhere than a call's party has asked something in its name, and was not believed",
    );
  const heldBack: LegParts["heldBack"] = (what) =>
    log.warn(what, "voice is held back: nothing has come from the address that is to hear it");
  const silence = openSilence(means);
  const streams = openStreamHub(means.media);
  /** Of one leg, which may fall silent alone. */
  const partsOf = ({ isSilent }: Mute): LegParts => ({
    ...means,
    mistake,
    stranger,
    heldBack,
    web: means.web && webOf(means.web, isSilent),
    stack: legStack(means.stack, isSilent),
    streams: { listen: (stream, hear) => streams.listen(stream, (event) => (isSilent() ? undefined : hear(event))) },
  });
  const traced = (callUuid: string, { sipCallId, over }: Leg, resumed = false) =>
    join(callUuid, sipCallId, { over, resumed });
  const called = new CalledLegs();
  return {
    traced: (callUuid, leg) => traced(callUuid, leg),
    mistake,
    called,
    incoming(incoming, who) {
      const mute = silence.mute();
      const leg = incomingLeg(partsOf(mute), incoming, { ...who, id: randomUUID() });
      return leg && mute.of(leg);
    },
    outgoing(callUuid, to) {
      const mute = silence.mute(callUuid);
      const leg = mute.of(outgoingLeg(partsOf(mute), { ...to, id: randomUUID() }));
      called.add(callUuid, leg);
      traced(callUuid, leg);
      return leg;
    },
    resumed(callUuid, kept, line) {
      silence.isBack(callUuid);
      const mute = silence.mute();
      const leg = mute.of(resumedLeg(partsOf(mute), kept, line));
      traced(callUuid, leg, true);
      return leg;
    },
    resumedRinging(callUuid, kept, line = {}) {
      silence.isBack(callUuid);
      const mute = silence.mute();
      const leg = mute.of(resumedRinging(partsOf(mute), kept, line));
      leg.line = kept.line;
      traced(callUuid, leg, true);
      return leg;
    },
    fallSilent: silence.all,
    letGo: silence.ofCall,
    emptied: () => means.stack.emptied(),
  };
}

/** A gateway that ends with us is no reason to hang up on anybody. */
function webOf(web: NonNullable<LegParts["web"]>, isSilent: () => boolean): NonNullable<LegParts["web"]> {
  const { inside } = web;
  const open: typeof web.open = ({ lost, quiet, ...more }) =>
    web.open({
      ...more,
      lost: (why) => (isSilent() ? undefined : lost(why)),
      quiet: (on) => (isSilent() ? undefined : quiet?.(on)),
    });
  return { inside, open };
}
