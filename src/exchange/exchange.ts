// What the doors may ask of the exchange while calls are up: start, answer, steer and end them.

import type { Sound } from "../media/engine.ts";
import type { CallSettings } from "../store/call-settings.ts";
import type { Limit, RequestLimit } from "../store/limit.ts";
import { isTooLate, keptInTime, TOO_LATE } from "./calls/asked-for.ts";
import type { Orderer } from "./calls/call-machine.ts";
import { type OpenCallParts, openCall } from "./calls/open-call.ts";
import { isRefusal, type Refusal } from "./calls/refusal.ts";
import type { StoryLine } from "./calls/story.ts";
import type { RequestedMove, RequestOutcome } from "./features/agents/agent-requests.ts";
import type { Waiter } from "./features/queues/place.ts";
import type { QueueDesk } from "./features/queues/queue-desk.ts";
import { type SupervisionRequest, superviseFor } from "./features/supervision/supervise-for.ts";
import { type TestRefusal, type TrunkTest, testTrunk } from "./features/trunk-tests/trunk-test.ts";
import { type BarringNeeds, whyBarred } from "./lead/barring.ts";
import type { Voice } from "./lead/guide.ts";
import { dialledNumber, emergencyIn } from "./plan/emergency.ts";
import { nationally, type PhoneNumber, phoneNumber, written } from "./plan/numbers.ts";
import type { SettingsBook } from "./plan/settings.ts";
import type { Target } from "./plan/target.ts";
import type { Registrar } from "./signalling/registrar/registrar.ts";
import { ownSide, type Pull, pullWaiting, sendToExtension, sendToTarget } from "./steering.ts";

export type Announcements = { toCaller?: number | undefined; toCallee?: number | undefined };

export type Originate = {
  extension: string;
  destination: string;
  callerId?: string | undefined;
  manualAnswer: boolean;
  seconds: number;
  announcements: Announcements;
};

export type Bridge = {
  source: string;
  destination: string;
  callerId?: string | undefined;
  seconds: number;
  announcements: Announcements;
  recordingEnabled: boolean;
};

export type Exchange = {
  /** No phone rings when `limit` is over; one that rings already is let go when there is no record of it in time. */
  originate(exchangeId: number, request: Originate, limit?: RequestLimit): Promise<{ callUuid: string } | Refusal>;
  /** Held until the source has answered or failed. */
  bridge(exchangeId: number, request: Bridge, limit?: RequestLimit): Promise<{ callUuid: string } | Refusal>;
  hangUp(exchangeId: number, callUuid: string, who: Orderer): Refusal | "done";
  /** Held until the phone has picked up, unless it is known to. */
  answer(exchangeId: number, callUuid: string): Promise<Refusal | "done">;
  transfer(exchangeId: number, callUuid: string, extension: string, limit?: Limit): Promise<Refusal | "done">;
  /** The same to any place, by a supervisor. */
  send(exchangeId: number, callUuid: string, target: Target, limit?: Limit): Promise<Refusal | "done">;
  /** Puts one who waits through to an extension, whoever's turn it is. */
  pull(exchangeId: number, wanted: Pull): Promise<Refusal | "done">;
  /** What has been told so far of a call that is up: newer than what is written of it. */
  story(exchangeId: number, callUuid: string): readonly StoryLine[] | undefined;
  mute(exchangeId: number, callUuid: string, on: boolean): Promise<Refusal | "done">;
  /** Rings the supervisor's phone and lets him into the extension's call; whether he may is for the door to know. */
  supervise(
    exchangeId: number,
    request: SupervisionRequest,
    limit?: RequestLimit,
  ): Promise<{ callUuid: string } | Refusal>;
  /** A call by that trunk alone, to be looked at. */
  testTrunk(exchangeId: number, test: TrunkTest, limit?: RequestLimit): Promise<{ callUuid: string } | TestRefusal>;
  /** Those who wait in queues, the next one first. */
  waiting(exchangeId: number): WaitingEntry[];
  moveAgent(move: RequestedMove, limit?: Limit): Promise<RequestOutcome>;
  /** The agent's time for notes is over if he says so; "owes": not before he has said what became of a call. */
  endWrapUp(exchangeId: number, extension: string): Promise<"done" | "owes" | "not-wrapping-up">;
};

export type WaitingEntry = Pick<Waiter, "id" | "queue" | "callUuid" | "caller" | "joinedMs" | "waitedMs">;

export type OperationsParts = {
  settings: SettingsBook;
  registrar: Pick<Registrar, "isRegistered">;
  voice: Pick<Voice, "sound">;
  queues: QueueDesk;
  calls: OpenCallParts;
  barring: BarringNeeds;
  isClosing(forHelp?: boolean): boolean;
  /** One more call begins, if the machine can carry it: now or in a moment. */
  mayBegin(): Promise<boolean>;
};

/** The extension whose outbound number the two-party call shows by default. */
const FIRST_EXTENSION = "1000";

export function openExchange(parts: OperationsParts): Exchange {
  /** What is over is no call any more, though its record may not be written yet. */
  const find = (exchangeId: number, uuid: string) => {
    const call = parts.calls.live.find(exchangeId, uuid);
    return call?.state() === "over" ? undefined : call;
  };
  return {
    originate: (exchangeId, request, limit) => originate(parts, exchangeId, request, limit),
    bridge: (exchangeId, request, limit) => bridge(parts, exchangeId, request, limit),
    hangUp(exchangeId, uuid, who) {
      const call = find(exchangeId, uuid);
      if (!call) return { refused: "no-such-call" };
      call.tell({ is: "hung-up-by", who });
      call.hangUp(call.facts.answerMs === undefined ? "ORIGINATOR_CANCEL" : "NORMAL_CLEARING", who);
      return "done";
    },
    async answer(exchangeId, uuid) {
      const call = find(exchangeId, uuid);
      if (call?.facts.origin !== "api") return { refused: "no-such-call" };
      const ringing = [...call.ringing.values()].flatMap(({ legs }) => legs);
      const pickedUp = await Promise.all(ringing.map((leg) => leg.pickUp()));
      return pickedUp.includes(true) ? "done" : { refused: "not-now", why: "not-ringing" };
    },
    async transfer(exchangeId, uuid, extension, limit) {
      const call = find(exchangeId, uuid);
      if (!call) return { refused: "no-such-call" };
      return sendToExtension(parts, { call, told: { is: "interface-sends-on", extension } }, { extension, limit });
    },
    async send(exchangeId, uuid, target, limit) {
      const call = find(exchangeId, uuid);
      return call ? sendToTarget(parts, call, target, limit) : { refused: "no-such-call" };
    },
    story: (exchangeId, uuid) => parts.calls.live.find(exchangeId, uuid)?.facts.story,
    pull: (exchangeId, wanted) => pullWaiting(parts, exchangeId, wanted),
    supervise: (exchangeId, request, limit) => superviseFor(parts, exchangeId, request, limit),
    testTrunk: (exchangeId, test, limit) => testTrunk(parts, exchangeId, test, limit),
    waiting: (exchangeId) => parts.queues.open(exchangeId)?.waiting() ?? [],
    moveAgent: (move, limit) => parts.queues.store.request(move, limit),
    async endWrapUp(exchangeId, extension) {
      const { roster } = (await parts.queues.hall(exchangeId)).floor;
      const agent = roster.get(extension);
      if (agent?.status !== "wrapping-up") return "not-wrapping-up";
      return roster.ready(agent) ? "done" : "owes";
    },
    async mute(exchangeId, uuid, on) {
      const call = find(exchangeId, uuid);
      const pair = call?.conversation.pair();
      if (!call) return { refused: "no-such-call" };
      if (!pair) return { refused: "not-now", why: "not-answered" };
      call.tell({ is: "muted", on });
      await call.conversation.mute(ownSide(pair), on);
      return "done";
    },
  };
}

async function originate(parts: OperationsParts, exchangeId: number, request: Originate, limit?: RequestLimit) {
  const { extension: number } = request;
  const book = await parts.settings.of(exchangeId);
  const extension = book?.extensions.get(number);
  if (parts.isClosing(true)) return { refused: "closing" } as const;
  if (!book || !extension?.active) return { refused: "extension-not-found", extension: number } as const;
  const destination = dialledNumber(request.destination, book);
  const isForHelp = destination?.is === "emergency";
  if (!destination || (destination.is === "extension" && !book.extensions.has(destination.number)))
    return { refused: "invalid-destination", destination: request.destination } as const;
  const callerId = ownNumber(book, isForHelp ? undefined : request.callerId);
  if (isRefusal(callerId)) return callerId;
  const greetings = await findGreetings(parts, exchangeId, request.announcements);
  if (isRefusal(greetings)) return greetings;
  if (!parts.registrar.isRegistered(exchangeId, number))
    return { refused: "extension-not-reachable", extension: number } as const;
  if (extension.dnd && !isForHelp) return { refused: "do-not-disturb", extension: number } as const;
  const barred = (await firstBarred(parts, book, [destination], number)) ?? (await whyNotNow(parts, isForHelp, limit));
  if (barred) return barred;
  const { manualAnswer, seconds } = request;
  const shown = { number: written(destination), name: nameIn(book, destination) };
  const party = { is: "extension", number, name: extension.name } as const;
  const call = openCall(parts.calls, {
    book,
    greetings,
    facts: {
      direction: destination.is === "extension" ? "internal" : "outbound",
      origin: "api",
      callerNumber: number,
      callerName: extension.name,
      outboundCallerId: callerId ? written(callerId) : "",
      destinationNumber: shown.number,
      destinationName: shown.name,
    },
    told: [{ is: "interface-connects", party, to: nationally(destination) }],
    begin: {
      fetch: { is: "desk", extension: number, manualAnswer, seconds, shown },
      goal: { is: "number", number: destination, by: number, seconds, callerId },
    },
  });
  return keptInTime(parts.calls, call, limit);
}

async function bridge(parts: OperationsParts, exchangeId: number, request: Bridge, limit?: RequestLimit) {
  const book = await parts.settings.of(exchangeId);
  if (!book || parts.isClosing()) return { refused: "closing" } as const;
  const [source, destination] = [outsideNumber(request.source, book), outsideNumber(request.destination, book)];
  if (!source) return { refused: "invalid-source", source: request.source } as const;
  if (!destination) return { refused: "invalid-destination", destination: request.destination } as const;
  const wanted = request.callerId ?? book.extensions.get(FIRST_EXTENSION)?.outboundCallerId ?? undefined;
  const usual = book.settings.defaultCallerId ?? [...book.numbers.keys()][0] ?? "";
  const callerId = ownNumber(book, wanted) ?? phoneNumber(usual);
  if (isRefusal(callerId)) return callerId;
  if (callerId === undefined) return { refused: "no-trunk" } as const;
  const greetings = await findGreetings(parts, exchangeId, request.announcements);
  if (isRefusal(greetings)) return greetings;
  const isForHelp = [source.is, destination.is].includes("emergency");
  const barred = (await firstBarred(parts, book, [source, destination])) ?? (await whyNotNow(parts, isForHelp, limit));
  if (barred) return barred;
  const { seconds, recordingEnabled } = request;
  const party = { is: "outside", number: nationally(source), name: "" } as const;
  const call = openCall(parts.calls, {
    book,
    greetings,
    recordingWanted: recordingEnabled,
    facts: {
      direction: "outbound",
      origin: "api",
      callerNumber: nationally(source),
      callerName: "",
      outboundCallerId: written(callerId),
      destinationNumber: written(destination),
      destinationName: "",
    },
    told: [{ is: "interface-connects", party, to: nationally(destination), as: written(callerId) }],
    begin: {
      fetch: { is: "outside", number: source, callerId, seconds },
      goal: { is: "outside", number: destination, callerId, seconds },
    },
  });
  const fetched = await (limit?.hold(call.fetched) ?? call.fetched);
  const kept = await keptInTime(parts.calls, call, limit);
  return "failed" in fetched ? ({ refused: "call-failed", cause: fetched.failed.cause } as const) : kept;
}

/** Asked last: nothing may be waited for between this and the beginning of the call. */
async function whyNotNow(parts: OperationsParts, isForHelp: boolean, limit?: Limit): Promise<Refusal | undefined> {
  if (!isForHelp && !(await parts.mayBegin())) return { refused: "overloaded" };
  if (isTooLate(limit)) return TOO_LATE;
  return parts.isClosing(isForHelp) ? { refused: "closing" } : undefined;
}

/** Whom nobody may call rings nobody first. */
async function firstBarred(
  { barring }: OperationsParts,
  book: CallSettings,
  numbers: PhoneNumber[],
  by?: string,
): Promise<Refusal | undefined> {
  for (const number of numbers) {
    const barred = await whyBarred(barring, book, number, { by });
    if (barred?.why === "channels") return { refused: "no-free-channel" };
    if (barred) return { refused: "destination-barred", destination: written(number), why: barred.why };
  }
  return undefined;
}

function ownNumber(book: CallSettings, wanted: string | undefined): PhoneNumber | undefined | Refusal {
  if (wanted === undefined) return undefined;
  const number = phoneNumber(wanted);
  return number && book.numbers.has(written(number)) ? number : { refused: "caller-id-not-owned", callerId: wanted };
}

type Greetings = { toCaller?: Sound; toCallee?: Sound };

async function findGreetings(
  parts: OperationsParts,
  exchangeId: number,
  { toCaller, toCallee }: Announcements,
): Promise<Greetings | Refusal> {
  const sounds: Greetings = {};
  for (const [side, id] of Object.entries({ toCaller, toCallee })) {
    if (id === undefined) continue;
    const path = await parts.voice.sound(exchangeId, id);
    if (path === undefined) return { refused: "announcement-not-found", id };
    sounds[side as "toCaller" | "toCallee"] = { is: "file", path };
  }
  return sounds;
}

function outsideNumber(text: string, { settings }: CallSettings): PhoneNumber | undefined {
  const help = emergencyIn(text, settings.emergencyNumbers);
  const number = help === undefined ? phoneNumber(text) : ({ is: "emergency", number: help } as const);
  return number?.is === "extension" ? undefined : number;
}

function nameIn(book: CallSettings, number: PhoneNumber): string {
  return number.is === "extension" ? (book.extensions.get(number.number)?.name ?? "") : "";
}
