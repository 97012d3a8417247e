// A queue as its caller lives through it: music, where he stands, a key to be called back, and at last somebody's voice.

import { randomUUID } from "node:crypto";
import { momentOf, since, type Ticks } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { Sound } from "../../../media/engine.ts";
import { USUAL_LANGUAGE } from "../../../speech/language.ts";
import type { FloorQueue } from "../../../store/agents.ts";
import type { Db } from "../../../store/db.ts";
import type { Led } from "../../calls/call.ts";
import type { Leg } from "../../calls/leg.ts";
import { comesTo, leaves, passedOn } from "../../calls/stays.ts";
import type { StoryFactOf } from "../../calls/story.ts";
import { type Attendant, CallerGone } from "../../lead/attendant.ts";
import { shownBy } from "../../lead/caller-id.ts";
import { leadToExtension, type RingNeeds } from "../../lead/extension.ts";
import type { Guide } from "../../lead/guide.ts";
import type { SomeScripts } from "../../lead/scripts.ts";
import { isAsleep, tellingOf } from "../../lead/waking.ts";
import { explained } from "./assign.ts";
import { type LeftNumber, whereToCallBack } from "./callback-number.ts";
import type { Outcome, Place, Rung } from "./place.ts";
import type { Hall, QueueDesk } from "./queue-desk.ts";
import { sentences } from "./sentences.ts";

declare module "../../calls/goal.ts" {
  interface Goals {
    /** Somebody who kept his place; the agent is on the line to talk to him. */
    callback: { id: string; to: Goal };
    /** How was it? Asked of a caller whose agent has hung up. */
    survey: { queue: string; agent: string };
  }
}

/** `holdMusic` is what somebody hears who waits. */
type QueueNeeds = RingNeeds & { db: Db; log: Log; queues: QueueDesk; holdMusic: Sound[] };
type QueueGuide = Guide<QueueNeeds>;

export function queueScripts(needs: QueueNeeds) {
  return {
    goals: {
      callback: async (guide, { id, to }) => {
        const { callbacks } = await needs.queues.hall(guide.book.settings.id);
        await callbacks.begin(id);
        return guide.goOn(to);
      },
      survey: (guide, goal) => leadToSurvey(guide.having(needs), goal),
    },
    targets: { queue: (guide, { number }) => leadToQueue(guide.having(needs), number) },
  } satisfies SomeScripts;
}

/** Queues that overflow into each other in a circle end here. */
const MOST_QUEUES = 10;

type End = Outcome | { out: "waited too long" } | { callback: true };

async function leadToQueue(guide: QueueGuide, number: string): Promise<Led> {
  const { call } = guide;
  const hall = await guide.has.queues.hall(guide.book.settings.id);
  const queue = hall.floor.queue(number);
  if (!queue || guide.visits("queue") > MOST_QUEUES) {
    call.tell(queue ? { is: "circle" } : { is: "no-such", what: "queue", which: number });
    return { failed: { cause: queue ? "EXCHANGE_ROUTING_ERROR" : "NO_ROUTE_DESTINATION" } };
  }
  // Who waited here when an earlier process stopped has his place and his time.
  const { queuedMs } = call.facts;
  const before = call.facts.queue === number && queuedMs !== undefined ? momentOf(call.clock, queuedMs) : undefined;
  const stays = comesTo(call.facts, number, call.clock.wall());
  call.note({ queue: number, stays, ...(before === undefined && { queuedMs: undefined }) });
  if (before === undefined) call.tell({ is: "comes-to-queue", queue: number, name: queue.name });
  const line = guide.attendant();
  const turnedAway = () => {
    if (before !== undefined) return undefined;
    const closed = hall.floor.whyClosed(number);
    return closed === "empty" && queue.overflowTarget === null ? undefined : closed;
  };
  // Whoever cannot stay is not picked up: where he is sent on to decides about that.
  let closed = turnedAway();
  if (!closed) {
    await line.keepWaiting();
    closed = turnedAway();
  }
  if (closed) return overflow(guide, queue, closed);
  const joined = before ?? guide.clock.ticks();
  const offered = await withCallbackIfPossible(guide, queue);
  const end = await waitInLine(guide, line, { hall, queue: offered, joined });
  const queueWaitSeconds = Math.round(since(guide.clock, joined) / 1_000);
  const left = leaves(call.facts, { waitSeconds: queueWaitSeconds, end: "served" in end ? "answered" : undefined });
  call.note({ queueWaitSeconds, queuedMs: undefined, stays: left });
  if ("callback" in end) return { failed: { cause: "NORMAL_CLEARING" } };
  if ("left" in end) throw new CallerGone();
  if ("out" in end) return overflow(guide, queue, end.out);
  if (queue.survey) call.goOnTo({ is: "survey", queue: number, agent: end.agent });
  return { connected: end.served };
}

/** Nobody is promised a call that will not be made. */
async function withCallbackIfPossible(guide: QueueGuide, queue: FloorQueue): Promise<FloorQueue> {
  if (queue.callbackKey === null) return queue;
  const left = numberLeftBy(guide);
  const where = await whereToCallBack(guide.has.db, guide.book, left);
  if ("number" in where) return queue;
  guide.call.tell({ is: "no-callback", number: left.caller.slice(0, 64), why: where.why });
  return { ...queue, callbackKey: null };
}

function numberLeftBy(guide: QueueGuide): LeftNumber {
  return { caller: shownBy(guide).number, isInside: guide.call.facts.direction !== "inbound" };
}

type WhyOut = StoryFactOf<"leaves-queue">["why"];

function overflow(guide: QueueGuide, { number, overflowTarget }: FloorQueue, why: WhyOut): Promise<Led> {
  const cause = why === "full" ? "USER_BUSY" : "NO_ANSWER";
  guide.call.tell({ is: "leaves-queue", queue: number, why });
  if (overflowTarget === null) return Promise.resolve({ failed: { cause } });
  guide.call.note({ lastCause: cause, ...passedOn(guide.call.facts, guide.call.clock.wall()) });
  return guide.goTo(overflowTarget);
}

type Joined = { hall: Hall; queue: FloorQueue; joined: Ticks };

async function waitInLine(guide: QueueGuide, line: Attendant, { hall, queue, joined }: Joined): Promise<End> {
  const { call } = guide;
  const agentSound = queue.agentSound === null ? undefined : await guide.sound(queue.agentSound);
  const caller = shownBy(guide);
  const telling = tellingOf(guide);
  const place = hall.floor.join({
    id: randomUUID(),
    queue: queue.number,
    callUuid: call.facts.uuid,
    caller: caller.number,
    callerName: caller.name,
    joined,
    rung: guide.has.legs.called.left(call.facts.uuid).map(({ party }) => party.number),
    onDecision: (decision) => call.tell(explained(decision, { callback: false })),
    ring: (agent, signal) => ringAgent(guide, { agent, signal, queue }),
    greet: (leg) => greet(guide, leg, agentSound),
    rouse: (agent) => telling.tell(agent),
  });
  const waiting = new AbortController();
  const seat = { hall, queue, joined, place, done: waiting.signal, stopWaiting: () => waiting.abort() };
  let end: End | undefined;
  try {
    const asked = askedForCallback(guide, line, seat);
    void entertain(guide, line, seat);
    // Whoever leaves by himself does so to be called back.
    const outcome = place.outcome.then((it) => ("left" in it ? asked : it));
    end = await line.until(Promise.race([outcome, tooLong(guide, seat), asked]));
    return end;
  } finally {
    waiting.abort();
    place.leave();
    telling.over(end !== undefined && "served" in end);
  }
}

type Seat = Joined & { place: Place; done: AbortSignal; stopWaiting(): void };

/** Kept when he has waited as long as anybody shall; an agent whose phone rings for him may still take him. */
function tooLong({ clock }: QueueGuide, { queue, joined, place, done }: Seat): Promise<End> {
  return new Promise((resolve) => {
    const look = () => {
      if (!place.isOffered()) return resolve({ out: "waited too long" });
      cancel = clock.after(1_000, look);
    };
    let cancel = clock.after(Math.max(0, queue.maxWaitSeconds * 1_000 - since(clock, joined)), look);
    done.addEventListener("abort", () => cancel());
  });
}

async function ringAgent(
  guide: QueueGuide,
  { agent, signal, queue }: { agent: string; signal: AbortSignal; queue: FloorQueue },
): Promise<Rung> {
  const both = AbortSignal.any([guide.signal, signal]);
  const forwards = queue.followsForwards ? "to somebody" : "nowhere";
  // The connection of a page that sleeps may still be there; on a break he is told of nobody.
  const isOffered = guide.has.queues.open(guide.book.settings.id)?.roster.get(agent)?.status === "ringing";
  const wakes = isOffered && isAsleep(guide.has, guide.book, agent);
  const led = await leadToExtension(guide.quietly(both), agent, { seconds: queue.ringSeconds, forwards, wakes });
  if ("connected" in led) return { answered: led.connected };
  guide.call.tell({ is: "agent-declines", agent, cause: led.failed.cause });
  return { failed: led.failed.cause };
}

/** The agent hears what kind of call it is before he hears the caller. */
async function greet({ media, call }: QueueGuide, agent: Leg, sound: Sound | undefined): Promise<boolean> {
  const stream = agent.stream();
  if (!sound || stream === undefined) return true;
  let gone = false;
  const over = agent.over.then(() => {
    gone = true;
  });
  await Promise.race([media.play(stream, { sounds: [sound] }), over]);
  if (gone) call.tell({ is: "agent-hangs-up", agent: agent.party.number });
  return !gone;
}

/** Music, and from time to time a word about how long it may take. */
async function entertain(guide: QueueGuide, line: Attendant, seat: Seat): Promise<void> {
  const { queue, done } = seat;
  const { log, holdMusic } = guide.has;
  try {
    const music = queue.musicSound === null ? undefined : await guide.sound(queue.musicSound);
    const welcome = queue.waitingSound === null ? undefined : await guide.sound(queue.waitingSound);
    const offer = queue.callbackKey === null ? undefined : sentences[queue.language].offersCallback(queue.callbackKey);
    const first = [welcome, offer === undefined ? undefined : await guide.speak(offer, queue.language)];
    if (!done.aborted) await line.play(first.filter((sound) => sound !== undefined));
    while (!done.aborted) {
      line.playOn(music ? [music] : holdMusic);
      if (queue.announceSeconds === 0) return;
      await line.wait(queue.announceSeconds * 1_000);
      const words = await announcement(guide, seat);
      if (!done.aborted) await line.play(words);
    }
  } catch (error) {
    if (!(error instanceof CallerGone)) log.error({ error: String(error) }, "a queue fell silent");
  }
}

async function announcement(guide: QueueGuide, { hall, queue, place }: Seat): Promise<Sound[]> {
  const say = sentences[queue.language];
  const average = hall.floor.averageWaitMs(queue.number);
  const text = [
    say.position(place.position()),
    ...(average === undefined ? [] : [say.wait(Math.max(1, Math.round(average / 60_000)))]),
    ...(queue.callbackKey === null ? [] : [say.offersCallback(queue.callbackKey)]),
  ];
  const sound = await guide.speak(text.join(" "), queue.language);
  return sound ? [sound] : [];
}

/** Kept when he has pressed the key, his place is safe, and he has been told so. */
function askedForCallback(guide: QueueGuide, line: Attendant, { hall, queue, place, stopWaiting }: Seat): Promise<End> {
  const { call, leg, clock } = guide;
  const { callbackKey, language, number } = queue;
  const joinedMs = clock.wall();
  return new Promise((resolve, reject) => {
    if (callbackKey === null || !leg) return;
    const stop = call.onDigits(leg, (digit) => {
      if (digit !== callbackKey) return;
      stop();
      keep().then((kept) => kept && resolve({ callback: true }), reject);
    });
  });

  async function keep(): Promise<boolean> {
    const { uuid: callUuid } = call.facts;
    const { name: callerName } = shownBy(guide);
    const callback = {
      id: randomUUID(),
      queue: number,
      callUuid,
      ...numberLeftBy(guide),
      callerName,
      joinedMs,
      priority: queue.priority,
      attempts: 0,
      nextTryMs: joinedMs,
    };
    if (!(await hall.callbacks.keep(callback, place))) return false;
    stopWaiting();
    call.tell({ is: "keeps-place", queue: number });
    const words = await guide.speak(sentences[language].callbackKept, language);
    if (words) await line.play([words]);
    return true;
  }
}

const SURVEY_SECONDS = 8;
const MOST_QUESTIONS = 2;

/** The agent has hung up, and the caller says how it was. */
async function leadToSurvey(guide: QueueGuide, { queue: number, agent }: { queue: string; agent: string }) {
  const { call, clock, has } = guide;
  const exchangeId = guide.book.settings.id;
  const { floor } = await has.queues.hall(exchangeId);
  const language = floor.queue(number)?.language ?? USUAL_LANGUAGE;
  const question = await guide.speak(sentences[language].survey, language);
  const line = guide.attendant();
  const ms = SURVEY_SECONDS * 1_000;
  for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
    const { digits } = await line.collect({ sounds: question ? [question] : [], most: 1, firstMs: ms, betweenMs: ms });
    if (!/^[1-5]$/.test(digits)) {
      call.tell({ is: "no-score", key: digits });
      continue;
    }
    const score = Number(digits);
    call.tell({ is: "score", agent, score });
    const answer = { callUuid: call.facts.uuid, queue: number, extension: agent, score, atMs: clock.wall() };
    await has.queues.store.keepSurveyAnswer(exchangeId, answer);
    const thanks = await guide.speak(sentences[language].thanks, language);
    if (thanks) await line.play([thanks]);
    break;
  }
  return { failed: { cause: "NORMAL_CLEARING" as const } };
}
