// Starts a call: its uuid, what is known of it at once, and the rules that hold for it until it is over.

import { randomUUID } from "node:crypto";
import { anchored } from "../../clock.ts";
import type { Sound } from "../../media/engine.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import { numberOf } from "../plan/own-number.ts";
import { Call, type CallOpening, type CallParts } from "./call.ts";
import type { CallFacts } from "./call-facts.ts";
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
    Partial<Omit<CallFacts, "story">>;
  /** What is told of it before anything else. */
  told?: StoryFact[];
  begin: CallOpening<Goal>["begin"];
  recordingWanted?: boolean;
  greetings?: CallOpening<Goal>["conversation"]["greetings"];
};

export type OpenCallParts = CallParts<Goal> & {
  media: CallOpening<Goal>["conversation"]["media"];
  live: LiveCalls;
  holdMusic: Sound[];
  /** Where the recording of a call is written while it lasts. */
  recordingPath(uuid: string): string;
};

export function openCall(
  parts: OpenCallParts,
  { book, facts, told = [], begin, recordingWanted = true, greetings = {} }: NewCall,
) {
  const uuid = facts.uuid ?? randomUUID();
  const clock = anchored(parts.clock);
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
  const call: Call<Goal> = new Call<Goal>(
    { ...parts, clock },
    {
      facts: whole,
      maxSeconds: book.settings.maxCallSeconds,
      conversation: {
        media: parts.media,
        room: uuid,
        knownAs: { sipDomain: book.settings.sipDomain, outside: (extension) => outsideOf(book, extension) },
        recordTo,
        recordingFailed,
        holdMusic: parts.holdMusic,
        greetings,
      },
      begin,
    },
  );
  parts.live.add(call);
  return call;
}

function outsideOf(book: CallSettings, extension: string) {
  const number = numberOf(book, extension);
  return number && { number, withheld: book.extensions.get(extension)?.withholdNumber === true };
}
