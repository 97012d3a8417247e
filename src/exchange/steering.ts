// A call that is up is led elsewhere by somebody who is not in it: over a door, or from the live board.

import type { Limit } from "../store/limit.ts";
import { isTooLate, TOO_LATE } from "./calls/asked-for.ts";
import type { Call } from "./calls/call.ts";
import type { Goal } from "./calls/goal.ts";
import type { Leg } from "./calls/leg.ts";
import type { LiveCalls } from "./calls/live-calls.ts";
import type { Refusal } from "./calls/refusal.ts";
import type { StoryFact } from "./calls/story.ts";
import type { Unfree } from "./features/queues/assign.ts";
import type { QueueDesk } from "./features/queues/queue-desk.ts";
import { whyNobodyTakes } from "./lead/extension.ts";
import type { SettingsBook } from "./plan/settings.ts";
import { printTarget, type Target } from "./plan/target.ts";
import type { Registrar } from "./signalling/registrar/registrar.ts";

export type SteeringParts = {
  settings: SettingsBook;
  registrar: Pick<Registrar, "isRegistered">;
  queues: QueueDesk;
  calls: { live: LiveCalls };
};

type Sent = { call: Call<Goal>; told: StoryFact };

/** The one who talks now is let go at once: a call that nobody would take stays where it is. */
export async function sendToExtension(
  parts: SteeringParts,
  { call, told }: Sent,
  { extension, limit }: { extension: string; limit: Limit | undefined },
): Promise<Refusal | "done"> {
  const book = await parts.settings.of(call.facts.exchangeId);
  if (isTooLate(limit)) return TOO_LATE;
  const called = book?.extensions.get(extension);
  if (!book || !called?.active) return { refused: "extension-not-found", extension };
  const others = parts.calls.live.of(book.settings.id, extension).filter((other) => other !== call);
  const phones = parts.registrar.isRegistered(book.settings.id, extension) ? 1 : 0;
  const cause = whyNobodyTakes(called, { callsUp: others.length, phones });
  if (cause === "NO_USER_RESPONSE") return { refused: "extension-not-reachable", extension };
  if (cause) return { refused: "call-failed", cause };
  return sendOn({ call, told }, { to: "user", number: extension });
}

/** From the live board, to wherever a call can be led. */
export async function sendToTarget(parts: SteeringParts, call: Call<Goal>, target: Target, limit: Limit | undefined) {
  const sent: Sent = { call, told: { is: "supervisor-sends-on", target: printTarget(target) } };
  if (target.to === "user") return sendToExtension(parts, sent, { extension: target.number, limit });
  return isTooLate(limit) ? TOO_LATE : sendOn(sent, target);
}

function sendOn({ call, told }: Sent, target: Target): Refusal | "done" {
  const goal: Goal = { is: "target", target };
  const pair = call.conversation.pair();
  const [led] = call.legs();
  if (!pair && !led) return { refused: "not-now", why: "not-answered" };
  call.tell(told);
  if (pair) {
    const drop = ownSide(pair);
    call.transfer({ keep: drop === pair.a ? pair.b : pair.a, drop, goal, stays: false });
  } else if (led) call.transfer({ keep: led, drop: led, goal, stays: false });
  return "done";
}

/** Whose side is ours: the extension's. Between two extensions it is the one that was called, as a caller expects. */
export function ownSide({ a, b }: { a: Leg; b: Leg }): Leg {
  if (b.party.is === "extension") return b;
  return a.party.is === "extension" ? a : b;
}

/** `waiting` is his place in the line; `by` the name of who wants it so. */
export type Pull = { waiting: string; extension: string; by?: string };

/** Somebody who waits in a queue is put through out of turn; when nobody answers there, he waits on where he stood. */
export async function pullWaiting(
  { settings, registrar, queues, calls }: SteeringParts,
  exchangeId: number,
  { waiting, extension, by }: Pull,
): Promise<Refusal | "done"> {
  const book = await settings.of(exchangeId);
  const called = book?.extensions.get(extension);
  if (!called?.active) return { refused: "extension-not-found", extension };
  if (called.dnd) return { refused: "do-not-disturb", extension };
  if (!registrar.isRegistered(exchangeId, extension)) return { refused: "extension-not-reachable", extension };
  const floor = queues.open(exchangeId);
  const waiter = floor?.waiting().find(({ id }) => id === waiting);
  if (!floor || !waiter) return { refused: "no-such-call" };
  const pulled = floor.pull(waiting, extension);
  if (pulled !== "done") return whyNotPulled(pulled, extension);
  calls.live
    .find(exchangeId, waiter.callUuid)
    ?.tell({ is: "pulled", queue: waiter.queue, extension, ...(by && { by }) });
  return "done";
}

function whyNotPulled(why: "gone" | "taken" | Unfree, extension: string): Refusal {
  if (why === "gone") return { refused: "no-such-call" };
  if (why === "taken") return { refused: "not-now", why: "already-transferring" };
  if (why === "unreachable") return { refused: "extension-not-reachable", extension };
  return { refused: "call-failed", cause: "USER_BUSY" };
}
