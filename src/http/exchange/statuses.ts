// What extensions and agents are doing: stored facts (do-not-disturb, breaks) joined with what the phones say.

import { Type } from "typebox";
import { type AgentState, type ExtensionState, listAgentStates } from "../../store/statuses.ts";
import { type JsonAnswer, json } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import type { PhoneState } from "../door/phone-states.ts";
import { oneOf, words } from "../parameters/schema.ts";

const group = "Statuses";
const wrong = (value: string) => ({ refused: "misfit", field: "status", value }) as const;
const invalidStatus = { refused: "misfit", field: "status", value: "BUSY" } as const;

const userStatuses = ["AVAILABLE", "TALKING", "UNREGISTERED", "SS_DND"] as const;
const agentStatuses = ["AVAILABLE", "TALKING", "LOGGED_OUT", "ON_BREAK"] as const;

export const listUserStatuses = endpoint({
  group,
  methods: ["GET"],
  paths: ["/user_statuses"],
  summary: "What each extension is doing",
  description: "Shares its rate limit with the agent statuses.",
  parameters: Type.Object({
    user: Type.Optional(words({ description: "only this extension" })),
    status: Type.Optional(oneOf(userStatuses, { wrong })),
  }),
  guards: [key, limit("statuses"), body, schema],
  reply: "json",
  example: [{ user: 1000, status: "AVAILABLE" }],
  refusals: [invalidStatus],
  handle({ user, status }, { exchangeId, extensionStates, presence }) {
    // Put together by hand: numbers and statuses need no escaping, and every client of every exchange asks for this.
    const show = (extensions: readonly ExtensionState[]): JsonAnswer => {
      let text = "";
      for (const { number, dnd } of extensions) {
        if (user !== undefined && user !== number) continue;
        const now = userStatus(dnd, presence.stateOf(exchangeId, number));
        if (status !== undefined && status !== now) continue;
        text += `${text === "" ? "" : ","}{"user":${Number(number)},"status":"${now}"}`;
      }
      return { says: "json", text: `[${text}]` };
    };
    const known = extensionStates.get(exchangeId);
    return known instanceof Promise ? known.then(show) : show(known);
  },
});

/** Do-not-disturb is kept by the exchange, so it holds whether or not a phone is there to hear it. */
function userStatus(dnd: boolean, phone: PhoneState): (typeof userStatuses)[number] {
  if (phone === "talking") return "TALKING";
  if (dnd) return "SS_DND";
  return phone === "registered" ? "AVAILABLE" : "UNREGISTERED";
}

export const listAgentStatuses = endpoint({
  group,
  methods: ["GET"],
  paths: ["/agent_statuses"],
  summary: "What each queue agent is doing",
  description: "Shares its rate limit with the extension statuses. `break_description` comes with ON_BREAK only.",
  parameters: Type.Object({
    agent: Type.Optional(words({ description: "only this extension" })),
    queue: Type.Optional(words({ description: "only members of this queue (number or name)" })),
    status: Type.Optional(oneOf(agentStatuses, { wrong })),
  }),
  guards: [key, limit("statuses"), body, schema],
  reply: "json",
  example: [
    { agent: "1000", status: "AVAILABLE", queues: ["200"] },
    { agent: "1001", status: "ON_BREAK", queues: ["200", "201"], break_description: "Kahve" },
  ],
  refusals: [invalidStatus],
  async handle({ agent, queue, status }, { db, exchangeId, presence }) {
    const agents = await listAgentStates(db, exchangeId, { agent, queue });
    const shown = agents.map((it) => showAgent(it, presence.stateOf(exchangeId, it.number)));
    return json(status === undefined ? shown : shown.filter((it) => it.status === status));
  },
});

function showAgent({ number, status, queues, breakDescription }: AgentState, phone: PhoneState) {
  return {
    agent: number,
    status: status === "AVAILABLE" && phone === "talking" ? "TALKING" : status,
    queues,
    ...(status === "ON_BREAK" ? { break_description: breakDescription ?? "" } : {}),
  };
}
