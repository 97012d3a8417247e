// santral agent: who answers queues, and what they are doing.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { carryOutRequest } from "../exchange/features/agents/agent-requests.ts";
import { type AgentRequest, isAlready } from "../exchange/features/agents/agent-status.ts";
import { giveUp } from "../server/give-up.ts";
import { listAgentStates } from "../store/statuses.ts";
import { exchangeCommand, operator } from "./command.ts";
import { said, table } from "./show.ts";

const wanted: [usage: string, request: AgentRequest, says: string][] = [
  ["login <extension>", "logIn", "let an agent take calls"],
  ["logout <extension>", "logOut", "send an agent home"],
  ["break <extension> [description]", "pause", "give an agent a break"],
  ["resume <extension>", "resume", "end an agent's break"],
];

export function addAgentCommands(program: Command, clock: Clock): void {
  const agent = program.command("agent").description("agents, who answer queues");
  exchangeCommand(agent, clock, {
    usage: "list",
    says: "all agents, as they are stored: calls are shown by the interface and the console",
    act: async (_, { db, exchange }) => {
      const agents = await listAgentStates(db, exchange.id, { agent: undefined, queue: undefined });
      const rows = agents.map(({ number, status, queues, breakDescription }) => ({
        extension: number,
        status,
        queues: queues.join(","),
        break: breakDescription ?? "",
      }));
      return table(rows, ["extension", "status", "queues", "break"]);
    },
  });
  for (const [usage, request, says] of wanted)
    exchangeCommand(agent, clock, {
      usage,
      says,
      changes: true,
      act: async ({ words: [extension = "", description = ""] }, { db, exchange }) => {
        const by = { doer: "command line", who: operator() } as const;
        const outcome = await carryOutRequest(db, { exchangeId: exchange.id, extension, request, description, by });
        if (!("refused" in outcome)) return said(`agent ${extension} is ${outcome.status}`, { extension, ...outcome });
        if (outcome.refused === "no-agent")
          return giveUp(`${extension} is no agent: neither called one nor in a queue`);
        const { status } = outcome;
        if (isAlready(status, request)) return said(`agent ${extension} is ${status} already`, { extension, status });
        return giveUp(`agent ${extension} is ${status}, so that cannot be done`);
      },
    });
}
