// What agents are doing, in words and colours.

import type { AgentStatus } from "../../src/exchange/features/agents/agent-status.ts";
import type { AgentNow } from "../../src/exchange/features/queues/floor-now.ts";
import { agentStatuses } from "../../src/words/terms.ts";
import type { Both } from "./language.tsx";
import { outOfReach } from "./texts.ts";

const colors: Record<AgentStatus, string> = {
  available: "teal",
  ringing: "yellow",
  talking: "red",
  "wrapping-up": "blue",
  "on-break": "orange",
  "logged-out": "gray",
};

/** Who is there but gets no calls has a phone that is not connected, or does not want to be disturbed. */
export function agentStatus({ status, free }: AgentNow): Both & { color: string } {
  return status === "available" && !free ? outOfReach : { ...agentStatuses[status], color: colors[status] };
}
