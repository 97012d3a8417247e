// Queues after an earlier process: callers keep the order in which they waited, and agents who talk to whom it brought to
// them have the time for their notes when they hang up.

import type { Clock } from "../../../clock.ts";
import type { Call } from "../../calls/call.ts";
import type { CallFacts } from "../../calls/call-facts.ts";
import type { Goal } from "../../calls/goal.ts";
import { isExtension } from "../../calls/live-calls.ts";
import type { Floor } from "./floor.ts";
import type { QueueDesk } from "./queue-desk.ts";
import { untilGone } from "./seat.ts";
import { takes } from "./takes.ts";

/** Before they go on: nobody is put to an agent until all of them are in line again. */
export async function expectInLine(queues: QueueDesk, left: { facts: CallFacts; why: unknown }[]): Promise<void> {
  for (const { facts, why } of left) {
    if (why !== undefined || facts.queue === undefined || facts.queuedMs === undefined) continue;
    const { floor } = await queues.hall(facts.exchangeId);
    floor.expected.expect([facts.uuid]);
  }
}

export async function agentsTalkOn(queues: QueueDesk, calls: Call<Goal>[], clock: Clock): Promise<void> {
  for (const call of calls) {
    const { exchangeId, queue, queuedMs, connectedUser } = call.facts;
    const leg = call.legs().find((it) => isExtension(it, connectedUser));
    if (queue === undefined || queuedMs !== undefined || !leg || call.state() !== "talking") continue;
    const { floor } = await queues.hall(exchangeId);
    const { uuid: callUuid, callerNumber: caller } = call.facts;
    talksOn(floor, clock, {
      number: connectedUser,
      queue,
      callUuid,
      caller,
      over: untilGone(leg, () => call.legs().find((it) => isExtension(it, connectedUser))),
    });
  }
}

type Talk = { number: string; queue: string; callUuid: string; caller: string; over: Promise<void> };

/** One who is on a break or has gone meanwhile, as far as the floor knows, stays so. What he owes was stored by then. */
function talksOn(floor: Floor, clock: Clock, { number, queue, callUuid, caller, over }: Talk): void {
  const of = floor.queue(queue);
  const status = floor.roster.get(number)?.status;
  if (!of?.members.includes(number) || (status !== "available" && status !== "wrapping-up")) return;
  const hangsUp = takes(floor.roster, number, { callUuid, caller, queue: of, isRung: false });
  if (!hangsUp) return;
  void over.then(() => {
    hangsUp({ now: clock.ticks(), nowMs: clock.wall() });
    floor.think();
  });
}
