// A queue as its caller lives through it: music, where he stands, a key to be called back, and at last somebody's voice.

import { randomUUID } from "node:crypto";
import type { Log } from "../../../log.ts";
import type { Sound } from "../../../media/engine.ts";
import type { FloorQueue } from "../../../store/agents.ts";
import type { Led } from "../../calls/call.ts";
import type { Leg } from "../../calls/leg.ts";
import { shownBy } from "../../lead/caller-id.ts";
import type { Extensions } from "../../lead/extension.ts";
import type { Guide } from "../../lead/guide.ts";
import { CallerGone, type Line } from "../../lead/line.ts";
import type { GoalScripts, TargetScripts } from "../../lead/scripts.ts";
import { explained } from "./assign.ts";
import type { Outcome, Place, Rung } from "./place.ts";
import type { Hall, QueueDesk } from "./queue-desk.ts";
import { sentences } from "./sentences.ts";
import { leadToSurvey } from "./survey.ts";

declare module "../../calls/goal.ts" {
  interface Goals {
    /** Somebody who kept his place, for the agent who is on the line to talk to him. */
    callback: { id: string; to: Goal };
  }
}

export type QueueParts = {
  log: Log;
  queues: QueueDesk;
  extensions: Extensions;
  /** What somebody hears who waits. */
  holdMusic: Sound[];
};

export function queueScripts(parts: QueueParts): {
  goals: Pick<GoalScripts, "callback" | "survey">;
  targets: Pick<TargetScripts, "queue">;
} {
  const { queues } = parts;
  return {
    goals: {
      callback: async (guide, { id, to }) => {
        const { callbacks } = await queues.hall(guide.book.settings.id);
        await callbacks.begin(id);
        return guide.goOn(to);
      },
      survey: (guide, about) => leadToSurvey(queues, guide, about),
    },
    targets: { queue: (guide, { number }) => leadToQueue(parts, guide, number) },
  };
}

/** Queues that overflow into each other in a circle end here. */
const MOST_QUEUES = 10;

type End = Outcome | { out: "waited too long" } | { callback: true };

async function leadToQueue(parts: QueueParts, guide: Guide, number: string): Promise<Led> {
  const { call, clock } = guide;
  const hall = await parts.queues.hall(guide.book.settings.id);
  const queue = hall.floor.queue(number);
  if (!queue || guide.visits("queue") > MOST_QUEUES) {
    call.tell(queue ? "has been led in a circle" : `there is no queue ${number}`);
    return { failed: { cause: queue ? "EXCHANGE_ROUTING_ERROR" : "NO_ROUTE_DESTINATION" } };
  }
  call.note({ queue: number });
  call.tell(`comes to queue ${number} (${queue.name})`);
  const line = guide.line();
  const turnedAway = () => {
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
  const joinedMs = clock.now();
  const end = await waitInLine(parts, guide, { line, hall, queue });
  const queueWaitSeconds = Math.round((clock.now() - joinedMs) / 1_000);
  call.note({ queueWaitSeconds, queuedMs: undefined });
  if ("callback" in end) return { failed: { cause: "NORMAL_CLEARING" } };
  if ("left" in end) throw new CallerGone();
  if ("out" in end) return overflow(guide, queue, end.out);
  if (queue.survey) call.goOnTo({ is: "survey", queue: number, agent: end.agent });
  return { connected: end.served };
}

function overflow(guide: Guide, { number, overflowTarget }: FloorQueue, why: string): Promise<Led> {
  guide.call.tell(`leaves queue ${number}: ${why}`);
  if (overflowTarget !== null) return guide.goTo(overflowTarget);
  return Promise.resolve({ failed: { cause: why === "full" ? "USER_BUSY" : "NO_ANSWER" } });
}

async function waitInLine(
  parts: QueueParts,
  guide: Guide,
  { line, hall, queue }: { line: Line; hall: Hall; queue: FloorQueue },
): Promise<End> {
  const { call } = guide;
  const agentSound = queue.agentSound === null ? undefined : await guide.sound(queue.agentSound);
  const caller = shownBy(guide);
  const place = hall.floor.join({
    ...{ id: randomUUID(), queue: queue.number, callUuid: call.facts.uuid },
    ...{ caller: caller.number, callerName: caller.name },
    onDecision: (decision) => call.tell(explained(decision)),
    ring: (agent, signal) => ringAgent(parts.extensions, guide, { agent, signal, seconds: queue.ringSeconds }),
    greet: (leg) => greet(guide, leg, agentSound),
  });
  const waiting = new AbortController();
  const seat = { hall, queue, place, done: waiting.signal, stopWaiting: () => waiting.abort() };
  try {
    const asked = askedForCallback(guide, line, seat);
    void entertain(parts, guide, { line, seat });
    // Whoever leaves by himself does so to be called back.
    const outcome = place.outcome.then((it) => ("left" in it ? asked : it));
    return await line.until(Promise.race([outcome, tooLong(guide, seat), asked]));
  } finally {
    waiting.abort();
    place.leave();
  }
}

type Seat = { hall: Hall; queue: FloorQueue; place: Place; done: AbortSignal; stopWaiting(): void };

/** Kept when he has waited as long as anybody shall; an agent whose phone rings for him may still take him. */
function tooLong({ clock }: Guide, { queue, place, done }: Seat): Promise<End> {
  return new Promise((resolve) => {
    const look = () => {
      if (!place.isOffered()) return resolve({ out: "waited too long" });
      cancel = clock.after(1_000, look);
    };
    let cancel = clock.after(queue.maxWaitSeconds * 1_000, look);
    done.addEventListener("abort", () => cancel());
  });
}

async function ringAgent(
  extensions: Extensions,
  guide: Guide,
  { agent, signal, seconds }: { agent: string; signal: AbortSignal; seconds: number },
): Promise<Rung> {
  const both = AbortSignal.any([guide.signal, signal]);
  const led = await extensions.lead(guide.quietly(both), agent, { seconds, forwards: false });
  if ("connected" in led) return { answered: led.connected };
  guide.call.tell(`extension ${agent} does not take it: ${led.failed.cause}`);
  return { failed: led.failed.cause };
}

/** The agent hears what kind of call it is before he hears the caller. */
async function greet({ media, call }: Guide, agent: Leg, sound: Sound | undefined): Promise<boolean> {
  const stream = agent.stream();
  if (!sound || stream === undefined) return true;
  let gone = false;
  const over = agent.over.then(() => {
    gone = true;
  });
  await Promise.race([media.play(stream, { sounds: [sound] }), over]);
  if (gone) call.tell(`extension ${agent.party.number} hung up before the two were joined`);
  return !gone;
}

/** Music, and from time to time a word about how long it may take. */
async function entertain(
  { log, holdMusic }: QueueParts,
  guide: Guide,
  { line, seat }: { line: Line; seat: Seat },
): Promise<void> {
  const { queue, done } = seat;
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

async function announcement(guide: Guide, { hall, queue, place }: Seat): Promise<Sound[]> {
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
function askedForCallback(guide: Guide, line: Line, { hall, queue, place, stopWaiting }: Seat): Promise<End> {
  const { call, leg, clock } = guide;
  const { callbackKey, language, number } = queue;
  const joinedMs = clock.now();
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
    const { number: caller, name: callerName } = shownBy(guide);
    const callback = {
      ...{ id: randomUUID(), queue: number, callUuid, caller, callerName, joinedMs },
      ...{ priority: queue.priority, attempts: 0, nextTryMs: joinedMs },
    };
    if (!(await hall.callbacks.keep(callback, place))) return false;
    stopWaiting();
    call.tell(`keeps the place in queue ${number} and will be called back`);
    const words = await guide.speak(sentences[language].callbackKept, language);
    if (words) await line.play([words]);
    return true;
  }
}
