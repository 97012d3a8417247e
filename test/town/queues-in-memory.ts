// Queues and agents in memory: what the database would keep of them, for stories and models without one.

import { statusOf, wished } from "../../src/exchange/features/agents/agent-status.ts";
import type { WishedMove } from "../../src/exchange/features/agents/agent-wishes.ts";
import type { QueueStore } from "../../src/exchange/features/queues/queue-store.ts";
import type { FloorAgent, FloorQueue } from "../../src/store/agents.ts";
import type { Callback, SurveyAnswer } from "../../src/store/callbacks.ts";

export type QueueSetup = Partial<Omit<FloorQueue, "number">> & { members: string[] };

export type QueuesInMemory = QueueStore & {
  agents: Map<string, FloorAgent>;
  queues: Map<string, FloorQueue>;
  owed: Map<string, Callback>;
  ended: { id: string; outcome: string }[];
  answers: SurveyAnswer[];
  audit_lines: string[];
  supervisors: Set<string>;
  /** As the database does when a row has changed. */
  changed(): void;
};

const EXCHANGE_ID = 101;

function queueOf(number: string, setup: QueueSetup): FloorQueue {
  return {
    ...{ number, name: `Queue ${number}`, strategy: "sequential", priority: 0, ringSeconds: 10, wrapUpSeconds: 0 },
    ...{ mostMisses: 3, maxWaitSeconds: 600, maxWaiting: 100, overflowTarget: null, musicSound: null },
    ...{
      waitingSound: null,
      agentSound: null,
      announceSeconds: 0,
      language: "en-US",
      callbackKey: null,
      survey: false,
    },
    ...setup,
  };
}

/** Every member of a queue is an agent who has logged in, in the order of the lists. */
export function queuesInMemory(setup: Record<string, QueueSetup>): QueuesInMemory {
  const queues = new Map(Object.entries(setup).map(([number, more]) => [number, queueOf(number, more)]));
  const agents = new Map<string, FloorAgent>();
  for (const { members } of queues.values())
    for (const number of members)
      agents.set(number, { number, name: `Desk ${number}`, dnd: false, status: "AVAILABLE", description: null });
  let tell: (exchangeId: number | undefined) => void = () => undefined;
  const self: QueuesInMemory = {
    ...{ agents, queues, owed: new Map(), ended: [], answers: [], audit_lines: [], supervisors: new Set() },
    changed: () => tell(EXCHANGE_ID),
    plan: async () => ({ queues: [...queues.values()], agents: [...agents.values()].map((agent) => ({ ...agent })) }),
    wish: async ({ extension, wish, description, who }: WishedMove) => {
      const agent = agents.get(extension);
      if (!agent) return { refused: "no-agent" };
      const after = wished(agent, wish, description);
      if (!after) return { refused: "not-now", status: statusOf(agent) };
      Object.assign(agent, after);
      self.audit_lines.push(`${who}: ${extension} ${after.status}`);
      tell(EXCHANGE_ID);
      return { status: statusOf(after) };
    },
    keepCallback: async (_, callback) => {
      self.owed.set(callback.id, { ...callback });
      return true;
    },
    owedCallbacks: async () => [...self.owed.values()].map((callback) => ({ ...callback })),
    exchangesOwing: async () => (self.owed.size > 0 ? [EXCHANGE_ID] : []),
    beginCallback: async (_, id, againMs) => {
      const callback = self.owed.get(id);
      if (callback) Object.assign(callback, { attempts: callback.attempts + 1, nextTryMs: againMs });
    },
    endCallback: async (_, id, outcome) => {
      if (self.owed.delete(id)) self.ended.push({ id, outcome });
    },
    keepSurveyAnswer: async (_, answer) => void self.answers.push(answer),
    maySupervise: async (_, extension) => self.supervisors.has(extension),
    audit: async ({ who, did }) => void self.audit_lines.push(`${who}: ${did}`),
    onChange: (hear) => {
      tell = hear;
    },
    close: async () => undefined,
  };
  return self;
}
