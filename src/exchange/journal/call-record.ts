// A finished call in the words of its record and of its events.

import type { ClosedCall } from "../../store/live-calls.ts";
import type { Answer, Hangup, Ringing, UserHangup } from "../../webhooks/events.ts";
import { type CallEnd, type CallFacts, waitedSeconds, wholeSeconds } from "../calls/call-facts.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { LegFacts } from "../calls/party.ts";
import { passesOf } from "../calls/stays.ts";
import { asDialled, storedForm } from "../plan/numbers.ts";

export type KeptRecording = NonNullable<ClosedCall["recording"]>;

export function recordOf(facts: CallFacts, end: CallEnd, recording: KeptRecording | undefined): ClosedCall {
  const { startMs, answerMs } = facts;
  const queueWaitSeconds = waitedSeconds(facts, end.endMs);
  const { passes, ...ofLast } = passesOf(facts, { endMs: end.endMs, waitSeconds: queueWaitSeconds });
  return {
    cdr: {
      ...ofLast,
      exchangeId: facts.exchangeId,
      callUuid: facts.uuid,
      direction: facts.direction,
      origin: facts.origin,
      startStamp: new Date(startMs),
      answerStamp: answerMs === undefined ? null : new Date(answerMs),
      endStamp: new Date(end.endMs),
      callerIdNumber: callerShown(facts),
      callerIdName: facts.callerName,
      outboundCallerIdNumber: facts.outboundCallerId,
      destinationNumber: destinationShown(facts),
      destinationName: facts.destinationName,
      dialedUser: facts.dialedUser,
      connectedUser: facts.connectedUser,
      durationSeconds: wholeSeconds(end.endMs - startMs),
      talkSeconds: talkSeconds(facts, end.endMs),
      queue: facts.queue ?? null,
      queueWaitSeconds,
      brought: facts.queue === undefined ? null : (facts.brought ?? null),
      // "Answered" of the hangup event being false is what makes a missed call.
      missed: answerMs === undefined && facts.isUnwelcome !== true,
      recording: recording ? "present" : "none",
      sipHangupDisposition: end.by,
      hangupCause: causeShown(facts, end),
      endedBy: end.endedBy ?? null,
      failureStatus: end.sip?.status ?? null,
      failurePhrase: end.sip?.phrase ?? null,
      peer: facts.supervises === undefined ? peerOf(facts) : "",
      listening: facts.supervises !== undefined,
    },
    // They are known in the order in which they left: the record begins with the caller's.
    legs: [
      ...end.legs.toSorted((a, b) => a.startMs - b.startMs).map((leg) => legRecord(leg, end)),
      ...(facts.rungInVain ?? []).map((leg) => ({ ...legRecord(leg, end), inVain: true })),
    ],
    recording,
    passes,
    story: facts.story,
    forms: facts.forms,
  };
}

export function ringingEvent(facts: CallFacts): Ringing {
  return { is: "ringing", ...eventOpening(facts) };
}

export function answerEvent(facts: CallFacts, answerMs: number): Answer {
  return { is: "answer", ...eventOpening(facts), ...queueOf(facts), connectedUser: facts.connectedUser, answerMs };
}

export function hangupEvent(facts: CallFacts, end: CallEnd, recorded: boolean): Hangup {
  const { answerMs, connectedUser } = facts;
  return {
    is: "hangup",
    ...eventOpening(facts),
    ...queueOf({ ...facts, queueWaitSeconds: waitedSeconds(facts, end.endMs) }),
    ...(answerMs === undefined ? {} : { connectedUser, answerMs }),
    endMs: end.endMs,
    talkSeconds: talkSeconds(facts, end.endMs),
    recordingPresent: recorded,
    answered: answerMs !== undefined,
    hangupDisposition: end.by,
    hangupCause: causeShown(facts, end),
    failure: end.sip,
  };
}

/** The call goes on, and with it the recording of what was said so far. */
export function userHangupEvent(
  facts: CallFacts,
  { extension, cause, endMs }: { extension: string; cause: HangupCause; endMs: number },
): UserHangup {
  const isRecorded = facts.recordingPath !== undefined && !facts.isRecordingLost;
  const whole = hangupEvent(facts, { endMs, cause, by: "callee", legs: [] }, isRecorded);
  return { ...whole, is: "user_hangup", connectedUser: extension };
}

function eventOpening(facts: CallFacts) {
  return {
    exchangeId: facts.exchangeId,
    callUuid: facts.uuid,
    direction: facts.direction,
    callerIdNumber: callerShown(facts),
    outboundCallerIdNumber: facts.outboundCallerId,
    destinationNumber: destinationShown(facts),
    dialedUser: facts.dialedUser,
    startMs: facts.startMs,
  };
}

function queueOf({ queue, queueWaitSeconds }: CallFacts) {
  return queue === undefined ? {} : { queue, queueWaitSeconds };
}

function legRecord(leg: LegFacts, end: CallEnd): ClosedCall["legs"][number] {
  return {
    destinationNumber: leg.number,
    startStamp: new Date(leg.startMs),
    answerStamp: leg.answerMs === undefined ? null : new Date(leg.answerMs),
    endStamp: new Date(leg.endMs ?? end.endMs),
    ipAddress: leg.address,
    sipUserAgent: leg.userAgent,
    writeCodec: leg.writeCodec,
    readCodec: leg.readCodec,
    hangupCause: leg.cause ?? end.cause,
  };
}

/** People outside are shown as their number is dialled in the country; our own numbers stay as they are. */
export function callerShown({ direction, callerNumber }: CallFacts): string {
  return direction === "inbound" ? asDialled(callerNumber) : callerNumber;
}

export function destinationShown({ direction, destinationNumber }: CallFacts): string {
  return direction === "outbound" ? asDialled(destinationNumber) : destinationNumber;
}

function peerOf({ direction, callerNumber, destinationNumber }: CallFacts): string {
  if (direction === "internal") return [callerNumber, destinationNumber].sort().join(" ");
  const outside = direction === "inbound" ? callerNumber : destinationNumber;
  return storedForm(outside) ?? ""; // a withheld number is nobody's peer
}

/**
 * Nothing that nobody answered ended as a talk does: who was to take it last did not, or whoever hung up on the ringing,
 * the menu or the music gave up.
 */
function causeShown({ answerMs, lastCause }: CallFacts, { cause, by, byUs }: CallEnd): HangupCause {
  if (answerMs !== undefined || cause !== "NORMAL_CLEARING") return cause;
  return lastCause ?? (by === "caller" && !byUs ? "ORIGINATOR_CANCEL" : "NO_ANSWER");
}

function talkSeconds({ answerMs }: CallFacts, endMs: number): number {
  return answerMs === undefined ? 0 : wholeSeconds(endMs - answerMs);
}
