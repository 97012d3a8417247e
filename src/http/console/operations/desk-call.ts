// A call as it lies on an agent's desk, be it up or over, and whether the one who asks may see it there.

import { wholeSeconds } from "../../../exchange/calls/call-facts.ts";
import { type StoryLine, storyOf } from "../../../exchange/calls/story.ts";
import type { CallNow, CallSoFar } from "../../../exchange/panel.ts";
import { asDialled, storedForm } from "../../../exchange/plan/numbers.ts";
import { type BroughtCall, type DeskCall, findDeskCall } from "../../../store/agent-desk.ts";
import { hasCdr } from "../../../store/cdrs.ts";
import { readStory } from "../../../store/live-calls.ts";
import { seesCall, seesExtension, withinOf } from "../../../store/scope.ts";
import type { ConsoleContext } from "../operation/operation.ts";

/**
 * Of a call that is up what the exchange knows now; until its record is there, what was kept of it. Undefined also for
 * what is not for this person. Who passed a call on has it on his desk as he will when it is over.
 */
export async function callAtDesk(
  callUuid: string,
  extension: string,
  { db, exchangeId, running, scope }: ConsoleContext,
): Promise<BroughtCall | undefined> {
  const live = running?.panel.call(exchangeId, callUuid);
  if (live) {
    const isSeen = seesCall(scope, live) || live.took.some((number) => seesExtension(scope, number));
    return isSeen ? withPeer(upAtDesk(live, extension)) : undefined;
  }
  const found = await findDeskCall(db, { exchangeId, callUuid, extension });
  if (!found) return undefined;
  const within = withinOf(scope);
  const isSeen =
    within === undefined ||
    (found.isTheirs && within.extensions.includes(extension)) ||
    (await hasCdr(db, exchangeId, callUuid, within));
  return isSeen ? withPeer(found) : undefined;
}

function upAtDesk(live: CallNow & CallSoFar, extension: string): BroughtCall {
  const { uuid: callUuid, direction, queue, startMs, took, brought = [] } = live;
  const isOut = direction === "outbound";
  return {
    callUuid,
    direction: direction as DeskCall["direction"], // as the call has it
    number: isOut ? live.destination : live.caller,
    name: isOut ? "" : live.callerName,
    peer: "",
    queue,
    waitSeconds: live.waitedSeconds,
    at: new Date(startMs),
    talkSeconds: 0,
    isUp: true,
    isTheirs: live.extensions.includes(extension) || took.includes(extension),
    brought: brought.find((one) => one.extension === extension) ?? null,
  };
}

/** Until there is a record: the number in the form that records have. Calls inside have no outside. */
function withPeer(call: BroughtCall): BroughtCall {
  if (!call.isUp || call.direction === "internal") return call;
  return { ...call, peer: storedForm(call.number) ?? "", number: asDialled(call.number) };
}

/** Of a call that was just found to be for this person. */
export async function storyOfCall(callUuid: string, { db, exchangeId, running }: ConsoleContext): Promise<StoryLine[]> {
  const live = running?.exchange.story(exchangeId, callUuid);
  return live ? [...live] : storyOf(await readStory(db, exchangeId, callUuid));
}

/**
 * With the queue that brought the call to this extension, and how long the caller waited there: it may have gone through
 * others since. `owedTo`: the queue that wants to know what became of it.
 */
export function broughtTo(
  extension: string,
  { brought, ...call }: BroughtCall,
  { story, owedTo }: { story: readonly StoryLine[]; owedTo: string | null },
): DeskCall {
  const { queue, waitSeconds } = brought ?? lastTalk(extension, call, story) ?? call;
  return { ...call, queue: owedTo ?? queue, waitSeconds };
}

/** Of a call that an earlier version kept. Null of who has not talked in it, or not within what the story holds. */
function lastTalk(extension: string, call: DeskCall, story: readonly StoryLine[]): BroughtCall["brought"] {
  let brought: BroughtCall["brought"] = null;
  let at: { queue: string | null; cameMs?: number; leftMs?: number } = { queue: null };
  for (const line of story) {
    if (!("is" in line)) continue;
    if (line.is === "comes-to-queue") at = { queue: line.queue, cameMs: line.atMs };
    if (line.is === "called-back") at = { queue: line.queue };
    if (line.is === "rings-group") at = { ...at, queue: line.group };
    if (line.is === "leaves-queue" || line.is === "talk") at = { ...at, leftMs: at.leftMs ?? line.atMs };
    if (line.is !== "talk") continue;
    const isIn = [line.one, line.other].some(({ is, number }) => is === "extension" && number === extension);
    if (isIn) brought = { queue: at.queue, waitSeconds: waitedAt(at) ?? call.waitSeconds };
  }
  return brought;
}

function waitedAt({ cameMs, leftMs }: { cameMs?: number; leftMs?: number }): number | undefined {
  return cameMs === undefined || leftMs === undefined ? undefined : wholeSeconds(leftMs - cameMs);
}
