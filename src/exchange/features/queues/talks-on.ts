// Agents who talk to callers of a queue whom an earlier process brought to them: when they hang up they have the time for
// their notes that they would have had.

import type { Clock } from "../../../clock.ts";
import type { Call } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import { isExtension } from "../../calls/live-calls.ts";
import type { Floor } from "./floor.ts";
import type { QueueDesk } from "./queue-desk.ts";

export async function agentsTalkOn(queues: QueueDesk, calls: Call<Goal>[], clock: Clock): Promise<void> {
  for (const call of calls) {
    const { exchangeId, queue, queuedMs, connectedUser } = call.facts;
    const leg = call.legs().find((it) => isExtension(it, connectedUser));
    if (queue === undefined || queuedMs !== undefined || !leg || call.state() !== "talking") continue;
    const { floor } = await queues.hall(exchangeId);
    talksOn(floor, clock, { number: connectedUser, queue, over: leg.over });
  }
}

type Talk = { number: string; queue: string; over: Promise<void> };

/** One who is on a break or has gone meanwhile, as far as the floor knows, stays so. */
function talksOn(floor: Floor, clock: Clock, { number, queue, over }: Talk): void {
  const agent = floor.roster.get(number);
  const wrapUpSeconds = floor.queue(queue)?.wrapUpSeconds;
  if (agent?.status !== "available" || wrapUpSeconds === undefined) return;
  for (const is of ["offer", "answer"] as const) floor.roster.tell(agent, { is });
  void over.then(() => {
    floor.roster.tell(agent, { is: "hangUp", wrapUpSeconds, now: clock.ticks(), nowMs: clock.wall() });
    floor.think();
  });
}
