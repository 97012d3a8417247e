// What extensions, calls and agents are doing, in words and colours.

import type { AgentStatus } from "../../src/exchange/features/agents/agent-status.ts";
import type { AgentNow, ExtensionNow } from "../../src/exchange/panel.ts";
import type { Both } from "./language.tsx";

export const extensionStates: Record<ExtensionNow["state"], Both & { color: string }> = {
  available: { tr: "Müsait", en: "Available", color: "teal" },
  ringing: { tr: "Çalıyor", en: "Ringing", color: "yellow" },
  "on a call": { tr: "Görüşmede", en: "On a call", color: "red" },
  "do-not-disturb": { tr: "Rahatsız etmeyin", en: "Do not disturb", color: "grape" },
  unregistered: { tr: "Bağlı değil", en: "Not connected", color: "gray" },
};

const agentColors: Record<AgentStatus, string> = {
  available: "teal",
  ringing: "yellow",
  talking: "red",
  "wrapping-up": "blue",
  "on-break": "orange",
  "logged-out": "gray",
};

const unreachable = { tr: "Hazır, ulaşılamıyor", en: "Available, out of reach", color: "yellow" };

/** Who is there but gets no calls has a phone that is not connected, or does not want to be disturbed. */
export function agentStatus({ status, free }: AgentNow): Both & { color: string } {
  if (status === "available" && !free) return unreachable;
  return { ...agentStatuses[status], color: agentColors[status] };
}

export const directions: Record<string, Both & { icon: "in" | "out" | "inside" }> = {
  inbound: { tr: "Gelen", en: "Inbound", icon: "in" },
  outbound: { tr: "Giden", en: "Outbound", icon: "out" },
  internal: { tr: "Dahili", en: "Internal", icon: "inside" },
};
