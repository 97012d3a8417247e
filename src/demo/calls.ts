// The calls of one day: who called whom, how long it rang, how it ended, and who called back.

import { type Day, momentIn } from "./calendar.ts";
import type { Person } from "./people.ts";
import type { Chance } from "./random.ts";

export type DemoLeg = { to: string; startMs: number; answerMs: number | null; endMs: number; cause: string };

export type DemoCall = {
  uuid: string;
  direction: "inbound" | "outbound" | "internal";
  origin: "phone" | "api";
  startMs: number;
  answerMs: number | null;
  endMs: number;
  caller: string;
  callerName: string;
  outboundCallerId: string;
  destination: string;
  destinationName: string;
  dialedUser: string;
  connectedUser: string;
  queue: string | null;
  queueWaitSeconds: number;
  returnUuid: string | null;
  endedBy: "caller" | "callee";
  cause: string;
  peer: string;
  legs: DemoLeg[];
};

/** What the exchange has: everybody in the story is one of these. */
export type Town = {
  extensions: readonly { number: string; name: string }[];
  /** Queues and ring groups, with those who answer them. */
  queues: readonly { number: string; members: readonly { number: string; name: string }[] }[];
  numbers: readonly string[];
  /** Somebody outside, and whether the telephone book knows the name. */
  somebody(chance: Chance): Person & { known: boolean };
};

const SECOND = 1_000;
const REJECTIONS = [
  ["NO_ANSWER", 55],
  ["USER_BUSY", 22],
  ["CALL_REJECTED", 8],
  ["NO_USER_RESPONSE", 8],
  ["UNALLOCATED_NUMBER", 7],
] as const;

export function callsOfDay(day: Day, town: Town, chance: Chance): DemoCall[] {
  const calls: DemoCall[] = [];
  while (calls.length < day.calls) {
    const startMs = momentIn(day, chance);
    const kind = chance.weighted(KINDS);
    const call = makers[kind](startMs, town, chance);
    calls.push(call);
    const missed = call.direction === "inbound" && call.answerMs === null;
    if (missed && calls.length < day.calls && chance.happens(0.55)) calls.push(returnOf(call, town, chance));
  }
  return calls;
}

const KINDS = [
  ["queued", 34],
  ["direct", 16],
  ["outbound", 37],
  ["internal", 13],
] as const;

type Maker = (startMs: number, town: Town, chance: Chance) => DemoCall;

const makers: Record<(typeof KINDS)[number][0], Maker> = { queued, direct, outbound, internal };

function queued(startMs: number, town: Town, chance: Chance): DemoCall {
  const staffed = town.queues.filter(({ members }) => members.length > 0);
  if (staffed.length === 0) return direct(startMs, town, chance);
  const queue = chance.pick(staffed);
  const waitSeconds = Math.round(4 + chance.next() ** 3 * 170);
  const answered = chance.happens(waitSeconds > 90 ? 0.55 : 0.9);
  const legs: DemoLeg[] = [];
  // Members who did not pick up are part of the story too.
  for (let at = startMs + 2 * SECOND; at < startMs + (waitSeconds - 8) * SECOND && legs.length < 3; at += 20 * SECOND) {
    const { number } = chance.pick(queue.members);
    legs.push({ to: number, startMs: at, answerMs: null, endMs: at + 18 * SECOND, cause: "NO_ANSWER" });
  }
  const agent = chance.pick(queue.members);
  const call = inbound(startMs, town, chance);
  if (!answered) {
    const endMs = startMs + waitSeconds * SECOND;
    return { ...call, endMs, cause: "ORIGINATOR_CANCEL", queue: queue.number, queueWaitSeconds: waitSeconds, legs };
  }
  const answerMs = startMs + waitSeconds * SECOND;
  const endMs = answerMs + talkSeconds(chance) * SECOND;
  legs.push({ to: agent.number, startMs: answerMs - 5 * SECOND, answerMs, endMs, cause: "NORMAL_CLEARING" });
  const who = { dialedUser: agent.number, connectedUser: agent.number, destinationName: agent.name };
  const how = { answerMs, endMs, cause: "NORMAL_CLEARING", queue: queue.number, queueWaitSeconds: waitSeconds };
  return { ...call, ...who, ...how, legs };
}

function direct(startMs: number, town: Town, chance: Chance): DemoCall {
  const extension = chance.pick(town.extensions);
  const call = {
    ...inbound(startMs, town, chance),
    dialedUser: extension.number,
    destinationName: extension.name,
  };
  return ringing(call, { to: extension.number, connected: extension.number, answerRate: 0.74 }, chance);
}

function outbound(startMs: number, town: Town, chance: Chance): DemoCall {
  return calling(chance.pick(town.extensions), town.somebody(chance), { startMs, town, chance });
}

function internal(startMs: number, town: Town, chance: Chance): DemoCall {
  const [from, to] = [chance.pick(town.extensions), chance.pick(town.extensions)];
  const call: DemoCall = {
    ...blank(startMs, chance),
    direction: "internal",
    caller: from.number,
    callerName: from.name,
    destination: to.number,
    destinationName: to.name,
    dialedUser: to.number,
  };
  return ringing(call, { to: to.number, connected: to.number, answerRate: 0.82 }, chance);
}

/** Somebody sees the missed call and calls back; if that is answered, the missed one counts as returned. */
function returnOf(missed: DemoCall, town: Town, chance: Chance): DemoCall {
  const person = { phone: missed.caller, name: missed.callerName, surname: "", known: missed.callerName !== "" };
  const startMs = missed.endMs + chance.between(60, 5_400) * SECOND;
  const call = calling(chance.pick(town.extensions), person, { startMs, town, chance });
  if (call.answerMs !== null) missed.returnUuid = call.uuid;
  return call;
}

function inbound(startMs: number, town: Town, chance: Chance): DemoCall {
  const person = town.somebody(chance);
  return {
    ...blank(startMs, chance),
    direction: "inbound",
    caller: person.phone,
    callerName: person.known ? `${person.name} ${person.surname}` : "",
    destination: chance.pick(town.numbers),
    peer: peerOf(person.phone),
  };
}

function calling(
  from: Town["extensions"][number],
  person: Pick<Person, "name" | "surname" | "phone"> & { known: boolean },
  { startMs, town, chance }: { startMs: number; town: Town; chance: Chance },
): DemoCall {
  const call: DemoCall = {
    ...blank(startMs, chance),
    direction: "outbound",
    origin: chance.happens(0.15) ? "api" : "phone",
    caller: from.number,
    callerName: from.name,
    outboundCallerId: chance.pick(town.numbers),
    destination: person.phone,
    destinationName: person.known ? `${person.name} ${person.surname}`.trim() : "",
    peer: peerOf(person.phone),
  };
  return ringing(call, { to: person.phone, connected: "", answerRate: 0.68 }, chance);
}

type Ringing = { to: string; connected: string; answerRate: number };

function ringing(call: DemoCall, { to, connected, answerRate }: Ringing, chance: Chance): DemoCall {
  const ringSeconds = chance.between(2, 24);
  if (chance.happens(answerRate)) {
    const answerMs = call.startMs + ringSeconds * SECOND;
    const endMs = answerMs + talkSeconds(chance) * SECOND;
    const cause = chance.happens(0.004) ? "MEDIA_TIMEOUT" : "NORMAL_CLEARING";
    const legs = [{ to, startMs: call.startMs, answerMs, endMs, cause }];
    return { ...call, answerMs, endMs, cause, connectedUser: connected, legs };
  }
  const gaveUp = chance.happens(0.45);
  const cause = gaveUp ? "ORIGINATOR_CANCEL" : chance.weighted(REJECTIONS);
  const endMs = call.startMs + (cause === "NO_ANSWER" ? 30 : ringSeconds) * SECOND;
  return { ...call, endMs, cause, legs: [{ to, startMs: call.startMs, answerMs: null, endMs, cause }] };
}

function blank(startMs: number, chance: Chance): DemoCall {
  return {
    uuid: chance.uuid(),
    direction: "inbound",
    origin: "phone",
    startMs,
    answerMs: null,
    endMs: startMs,
    caller: "",
    callerName: "",
    outboundCallerId: "",
    destination: "",
    destinationName: "",
    dialedUser: "",
    connectedUser: "",
    queue: null,
    queueWaitSeconds: 0,
    returnUuid: null,
    endedBy: chance.happens(0.55) ? "caller" : "callee",
    cause: "NORMAL_CLEARING",
    peer: "",
    legs: [],
  };
}

/** Most talks are short, a few are long. */
function talkSeconds(chance: Chance): number {
  return Math.round(8 + -Math.log(1 - chance.next()) * 150);
}

function peerOf(phone: string): string {
  return phone.replace(/^0/, "90");
}
