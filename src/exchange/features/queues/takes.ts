// Somebody has a call of a queue, in his turn, by a supervisor's order, or for a colleague: what that is to him.

import type { FloorQueue } from "../../../store/agents.ts";
import type { Now } from "./agent-machine.ts";
import type { Roster } from "./roster.ts";

type Taken = {
  callUuid: string;
  caller: string;
  queue: FloorQueue | undefined;
  /** The queue itself had rung him for it. */
  isRung: boolean;
};

/**
 * Whoever it is says what became of the call, where the queue wants that. Time for notes is for agents of the queue; one
 * on a break stays there, and whoever is no agent of it goes on as before. Call what is returned when he has left it.
 */
export function takes(
  roster: Roster,
  extension: string,
  { callUuid, caller, queue, isRung }: Taken,
): ((now: Now) => void) | undefined {
  const agent = roster.get(extension);
  const isMember = queue?.members.includes(extension) ?? false;
  const taken = { callUuid, caller, queue: queue?.dispositionRequired ? queue.number : undefined };
  const isFree = agent?.status === "available" || agent?.status === "wrapping-up";
  if (!agent || !(isRung || (isMember && isFree))) {
    roster.owes(extension, taken);
    return undefined;
  }
  if (agent.status === "available") roster.tell(agent, { is: "offer" });
  roster.answers(agent, taken);
  const wrapUpSeconds = isMember ? (queue?.wrapUpSeconds ?? 0) : 0;
  return (now) => roster.served(agent, callUuid, { wrapUpSeconds, ...now });
}
