// Starts a call: its uuid, what is known of it at once, and the rules that hold for it until it is over.

import { randomUUID } from "node:crypto";
import { anchored } from "../../clock.ts";
import type { Sound } from "../../media/engine.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import { numberOf } from "../plan/own-number.ts";
import { Call, type CallParts } from "./call.ts";
import type { CallFacts } from "./call-facts.ts";
import type { CallOpening } from "./call-opening.ts";
import type { Goal } from "./goal.ts";
import type { Leg } from "./leg.ts";
import type { LiveCalls } from "./live-calls.ts";
import { isRecorded } from "./recording-rule.ts";
import type { StoryFact } from "./story.ts";

export type NewCall = {
  book: CallSettings;
  facts: Pick<
    CallFacts,
    "direction" | "origin" | "callerNumber" | "callerName" | "destinationNumber" | "destinationName"
  > &
    Partial<CallFacts>;
  /** What is told of it before anything else. */
  told?: StoryFact[];
  begin: CallOpening<Goal>["begin"];
  recordingWanted?: boolean;
  /** Until when an earlier process has seen it: whatever the wall's clock says, it is later now. */
  notBeforeMs?: number;
  greetings?: CallOpening<Goal>["conversation"]["greetings"];
};

export type OpenCallParts = CallParts<Goal> & {
  media: CallOpening<Goal>["conversation"]["media"];
  live: LiveCalls;
  holdMusic: Sound[];
  /** Where the recording of a call is written while it lasts. */
  recordingPath(uuid: string): string;
};

/** Of a trunk's test with all its ringing, also when another process goes on with it. */
const LONGEST_TEST_SECONDS = 90;

function mostSeconds({ settings: { maxCallSeconds } }: CallSettings, { testsTrunk }: CallFacts): number {
  return testsTrunk === undefined ? maxCallSeconds : Math.min(maxCallSeconds, LONGEST_TEST_SECONDS);
}

export function openCall(
  parts: OpenCallParts,
  { book, facts, told = [], begin, recordingWanted = true, greetings = {}, notBeforeMs }: NewCall,
) {
  const uuid = facts.uuid ?? randomUUID();
  const clock = anchored(parts.clock, notBeforeMs);
  const whole: CallFacts = {
    uuid,
    exchangeId: book.settings.id,
    startMs: clock.wall(),
    outboundCallerId: "",
    dialedUser: "",
    connectedUser: "",
    queueWaitSeconds: 0,
    story: told.map((fact) => ({ atMs: clock.wall(), ...fact })),
    ...facts,
  };
  const recordTo = (...legs: (Leg | undefined)[]): string | undefined => {
    const onTheLine = legs.flatMap((leg) => (leg?.party.is === "extension" ? [leg.party.number] : []));
    if (!isRecorded(book, { direction: whole.direction, onTheLine, wanted: recordingWanted })) return undefined;
    const path = parts.recordingPath(uuid);
    call.note({ recordingPath: path });
    return path;
  };
  const recordingFailed: CallOpening<Goal>["conversation"]["recordingFailed"] = ({ durationMs, fault }) => {
    call.tell({ is: "recording-failed", step: fault.step, code: fault.code });
    if (durationMs === 0 && fault.step !== "thread") call.note({ isRecordingLost: true });
  };
  const elapsedMs = clock.wall() - whole.startMs;
  const call: Call<Goal> = new Call<Goal>(
    { ...parts, clock },
    {
      facts: whole,
      maxMs: Math.max(0, mostSeconds(book, whole) * 1_000 - elapsedMs),
      conversation: {
        media: parts.media,
        room: uuid,
        knownAs: { sipDomain: book.settings.sipDomain, outside: (extension) => outsideOf(book, extension) },
        recordTo,
        recordingFailed,
        holdMusic: parts.holdMusic,
        greetings,
        kept: "kept" in begin ? begin.kept.conversation : undefined,
      },
      begin,
    },
  );
  if (!recordingWanted) call.conversation.keepUnrecorded();
  parts.live.add(call);
  return call;
}

function outsideOf(book: CallSettings, extension: string) {
  const number = numberOf(book, extension);
  return number && { number, withheld: book.extensions.get(extension)?.withholdNumber === true };
}
