// Wakes agents whose phones are closed while callers wait for whom nobody else is free.

import { runAgain } from "../../../again.ts";
import { type Clock, type Ticks, within } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import type { AgentView } from "./assign.ts";
import type { Floor } from "./floor.ts";
import { whomToRouse } from "./rouse.ts";

/** Whose phones are closed, of those who can be told. */
export type Asleep = (extension: string) => boolean;

export type RousingParts = {
  clock: Clock;
  log: Log;
  floor: Pick<Floor, "waiting" | "queues" | "queue" | "roster" | "think">;
  asleep(): Promise<Asleep>;
  chance(): number;
};

/** To be called after everybody has been offered who could be. */
export function openRousing({ clock, log, floor, asleep, chance }: RousingParts): () => void {
  /** By caller, and by agent: until when he is waited for. */
  const told = new Map<string, Map<string, Ticks>>();
  const looking = runAgain(look);
  return () => {
    if (told.size > 0 || floor.waiting().length > 0) void looking.ask().catch(tellFault);
  };

  async function look(): Promise<void> {
    const isAsleep = await asleep();
    const line = floor.waiting();
    const waiting = new Map(line.map((caller) => [caller.id, caller]));
    for (const caller of told.keys()) if (!waiting.has(caller)) told.delete(caller);
    const queues = new Map(floor.queues().map((queue) => [queue.number, queue]));
    const sleepers = sleepersOf(floor, isAsleep);
    const now = clock.ticks();
    for (const { caller, queue, agents } of whomToRouse({ line, queues, asleep: sleepers, told, now, chance })) {
      const those = told.get(caller) ?? new Map<string, Ticks>();
      told.set(caller, those);
      for (const agent of agents) {
        those.set(agent, within(clock, (queues.get(queue)?.ringSeconds ?? 0) * 1_000));
        void waiting
          .get(caller)
          ?.rouse?.(agent)
          .then((browsers) => {
            if (browsers > 0) return;
            // Nobody was told there: the next one is not kept waiting.
            those.set(agent, now);
            floor.think();
          })
          .catch(tellFault);
      }
    }
  }

  function tellFault(error: unknown): void {
    log.error({ error: String(error) }, "agents could not be told of a caller");
  }
}

function sleepersOf({ roster }: RousingParts["floor"], isAsleep: Asleep): Map<string, AgentView> {
  const sleepers = new Map<string, AgentView>();
  for (const [number, view] of roster.views())
    if (view.unfree === "unreachable" && isAsleep(number)) sleepers.set(number, view);
  return sleepers;
}
