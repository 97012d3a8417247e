// What a customer's system is told about a call: one kind of event each, printed as form fields in documented order.

import type { EventSwitch } from "../nouns/exchange.ts";

export type CallEvent = Ringing | Answer | Hangup | UserHangup | NoteEvent;

type OfCall = {
  exchangeId: number;
  callUuid: string;
  direction: "internal" | "inbound" | "outbound";
  /** Numbers stand here as the receiver shall see them. */
  callerIdNumber: string;
  outboundCallerIdNumber: string;
  destinationNumber: string;
  dialedUser: string;
  startMs: number;
};

type OfQueue = { queue?: string | undefined; queueWaitSeconds?: number | undefined };

export type Ringing = OfCall & { is: "ringing" };

export type Answer = OfCall & OfQueue & { is: "answer"; connectedUser: string; answerMs: number };

type Ended = OfCall &
  OfQueue & {
    /** Absent when nobody answered. */
    connectedUser?: string | undefined;
    answerMs?: number | undefined;
    endMs: number;
    talkSeconds: number;
    recordingPresent: boolean;
    answered: boolean;
    hangupDisposition: "caller" | "callee";
    hangupCause: string;
    /** SIP status and words of a call that failed. */
    failure?: { status: number; phrase: string } | undefined;
  };

/** What an agent wrote about it; for those alone who want to be told. */
export type ToldNote = { disposition: string | null; tags: readonly string[]; note: string };

export type Hangup = Ended & { is: "hangup"; written?: ToldNote | undefined };

/** One extension left while the call goes on. */
export type UserHangup = Ended & { is: "user_hangup" };

/** Something was written about a call after its hangup had been told. */
export type NoteEvent = ToldNote & {
  is: "call_note";
  exchangeId: number;
  callUuid: string;
  direction: OfCall["direction"];
  /** The other side, as the receiver knows it. */
  number: string;
  queue?: string | undefined;
  extension: string;
  writtenMs: number;
};

type Field = string | number | boolean | undefined;
/** In the documented order; what is not known yet is left out, what is known to be empty is sent empty. */
type Fields = [name: string, value: Field][];

/** The body of the POST, with stamps in the exchange's own time. */
export function printEvent(event: CallEvent, timeZone: string): string {
  const stamp = (ms: number | undefined) => (ms === undefined ? undefined : printStamp(ms, timeZone));
  // The printer is chosen by the very field its parameter narrows on.
  const fields = (callEvents[event.is].print as Printer<CallEvent>)(event, stamp);
  const form = new URLSearchParams();
  for (const [name, value] of fields) if (value !== undefined) form.append(name, String(value));
  return form.toString();
}

type Printer<Event> = (event: Event, stamp: (ms: number | undefined) => string | undefined) => Fields;

type EventType<Event> = {
  /** For the documentation. */
  when: string;
  /** The setting of an exchange that turns it on. */
  switch: EventSwitch;
  /** Beside that, only for those who want what agents write. */
  withNotes?: true;
  print: Printer<Event>;
};

/** All there is to know of each kind of event: the one list of them. */
export const callEvents: { [Is in CallEvent["is"]]: EventType<Extract<CallEvent, { is: Is }>> } = {
  ringing: {
    when: "a phone begins to ring",
    switch: "ringing",
    print: (event, stamp) => [...opening(event), ["call_uuid", event.callUuid], ["start_stamp", stamp(event.startMs)]],
  },
  answer: {
    when: "a person takes the call, or a machine that it was meant for; again when another extension takes it",
    switch: "answered",
    print: (event, stamp) => [
      ...opening(event),
      ["connected_user", event.connectedUser],
      ["call_uuid", event.callUuid],
      ["start_stamp", stamp(event.startMs)],
      ["answer_stamp", stamp(event.answerMs)],
      ...waiting(event),
    ],
  },
  user_hangup: { when: "one extension leaves while the call goes on", switch: "hangup", print: ended },
  hangup: {
    when: "the call is over; also the notice that its CDR is there",
    switch: "hangup",
    print: (event, stamp) => [...ended(event, stamp), ...(event.written ? written(event.written) : [])],
  },
  call_note: {
    when: "an agent gives a disposition, tags or a note after the call, where `crm-notes` is on",
    switch: "hangup",
    withNotes: true,
    print: (event, stamp) => [
      ["event_type", event.is],
      ["domain_id", event.exchangeId],
      ["direction", event.direction],
      ["call_uuid", event.callUuid],
      ["number", event.number],
      ["queue", event.queue],
      ["extension", event.extension],
      ...written(event),
      ["written_stamp", stamp(event.writtenMs)],
    ],
  },
};

function ended(event: Hangup | UserHangup, stamp: (ms: number | undefined) => string | undefined): Fields {
  return [
    ...opening(event),
    ["connected_user", event.connectedUser],
    ["call_uuid", event.callUuid],
    ["start_stamp", stamp(event.startMs)],
    ["answer_stamp", stamp(event.answerMs)],
    ["end_stamp", stamp(event.endMs)],
    ["duration", event.talkSeconds],
    ["recording_present", event.recordingPresent],
    ["answered", event.answered],
    ...waiting(event),
    ["sip_hangup_disposition", event.hangupDisposition],
    ["hangup_cause", event.hangupCause],
    ["failure_status", event.failure?.status],
    ["failure_phrase", event.failure?.phrase],
  ];
}

function written({ disposition, tags, note }: ToldNote): Fields {
  return [
    ["disposition", disposition ?? ""],
    ["tags", tags.join(",")],
    ["note", note],
  ];
}

function opening(event: Exclude<CallEvent, NoteEvent>): Fields {
  return [
    ["event_type", event.is],
    ["domain_id", event.exchangeId],
    ["direction", event.direction],
    ["caller_id_number", event.callerIdNumber],
    ["outbound_caller_id_number", event.outboundCallerIdNumber],
    ["destination_number", event.destinationNumber],
    ["dialed_user", event.dialedUser],
  ];
}

function waiting({ queue, queueWaitSeconds }: OfQueue): Fields {
  return [
    ["queue", queue],
    ["queue_wait_duration", queue === undefined ? undefined : (queueWaitSeconds ?? 0)],
  ];
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2016-01-01 00:00:00` as the clocks of that place show it. */
export function printStamp(ms: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    // Making a format costs a thousand times what using one does; there are only so many time zones.
    format = new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(timeZone, format);
  }
  return format.format(ms);
}
