// Queues and agents in memory, for the model of queues alone: it takes ten thousand random steps and asks after each of
// them, which no database answers in a moment. It stands in for the queue store and knows no SQL; towns use the real one.

import { requested, statusOf } from "../../src/exchange/features/agents/agent-status.ts";
import type { QueueStore } from "../../src/exchange/features/queues/queue-store.ts";
import type { FloorAgent, FloorQueue } from "../../src/store/agents.ts";
import type { Callback } from "../../src/store/callbacks.ts";
import { type QueueSetup, usualQueue } from "./town-setup.ts";

export type QueuesInMemory = QueueStore & {
  queues: Map<string, FloorQueue>;
  owed: Map<string, Callback>;
  /** As the database does when a row has changed. */
  changed(): void;
};

/** Every member of a queue is an agent who has logged in, in the order of the lists. */
export function queuesInMemory(exchangeId: number, setup: Record<string, QueueSetup>): QueuesInMemory {
  const queues = new Map(Object.entries(setup).map(([number, more]) => [number, usualQueue(number, more)]));
  const agents = new Map<string, FloorAgent>();
  for (const { members } of queues.values())
    for (const number of members)
      agents.set(number, {
        number,
        name: `Desk ${number}`,
        dnd: false,
        status: "AVAILABLE",
        description: null,
        owes: false,
      });
  const owed = new Map<string, Callback>();
  let tell: (exchangeId: number | undefined) => void = () => undefined;
  return {
    queues,
    owed,
    changed: () => tell(exchangeId),
    answered: async () => new Map(),
    keepWrapUp: async () => undefined,
    oweDisposition: async () => undefined,
    plan: async () => ({ queues: [...queues.values()], agents: [...agents.values()].map((agent) => ({ ...agent })) }),
    request: async ({ extension, request, description }) => {
      const agent = agents.get(extension);
      if (!agent) return { refused: "no-agent" };
      const after = requested(agent, request, description);
      if (!after) return { refused: "not-now", status: statusOf(agent) };
      Object.assign(agent, after);
      tell(exchangeId);
      return { status: statusOf(after) };
    },
    keepCallback: async (_, callback) => {
      owed.set(callback.id, { ...callback });
      return true;
    },
    owedCallbacks: async () => [...owed.values()].map((callback) => ({ ...callback })),
    exchangesOwing: async () => (owed.size > 0 ? [exchangeId] : []),
    beginCallback: async (_, id, againMs) => {
      const callback = owed.get(id);
      if (callback) Object.assign(callback, { attempts: callback.attempts + 1, nextTryMs: againMs });
    },
    endCallback: async (_, id) => void owed.delete(id),
    keepSurveyAnswer: async () => undefined,
    maySupervise: async () => false,
    audit: async () => undefined,
    onChange: (hear) => {
      tell = hear;
    },
    close: async () => undefined,
  };
}
