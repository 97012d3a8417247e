// How many agents of a queue could take a call now, as the dialler needs to know it.

import type { QueueDesk } from "../queues/queue-desk.ts";
import type { Crew } from "./dial-rounds.ts";

/** Those who are at work, whatever keeps them from the next call for the moment. */
const AT_WORK = ["ringing", "talking", "wrapping-up"];

export async function crewOf(queues: QueueDesk, exchangeId: number, number: string): Promise<Crew> {
  const { floor } = await queues.hall(exchangeId);
  const crew: Crew = { free: 0, busy: 0, waiting: floor.waiting(number).filter(({ offered }) => !offered).length };
  for (const member of floor.queue(number)?.members ?? []) {
    const agent = floor.roster.get(member);
    if (!agent) continue;
    const unfree = floor.roster.whyNotFree(agent);
    if (unfree === undefined) crew.free += 1;
    else if (AT_WORK.includes(agent.status) || unfree === "on a call") crew.busy += 1;
  }
  return crew;
}
