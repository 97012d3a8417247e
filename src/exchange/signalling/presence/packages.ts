// What can be subscribed to, and what each NOTIFY says.

import { octetsOf } from "../../../sip/message/text.ts";
import { dialogInfo, type LampCall, messageSummary, presence, type Watcher } from "../../../sip/notification.ts";
import type { News } from "../../../sip/subscription.ts";
import type { StoredAgentStatus } from "../../../store/agents.ts";
import type { HomeExchange } from "../registrar/directory.ts";
import type { Pidf } from "./pidf.ts";

/** The last is ours: what an agent is doing, for his own web phone. */
export type Package = "message-summary" | "dialog" | "presence" | "x-santral-agent";

export type AgentTold = { status: StoredAgentStatus; breakDescription: string; dnd: boolean };

/** What there is to tell of an extension; asked at every NOTIFY. */
export type PresenceSources = {
  voicemail(exchangeId: number, extension: string): { unheard: number; heard: number };
  calls(exchangeId: number, extension: string): readonly LampCall[];
  isReachable(exchangeId: number, extension: string): boolean;
  /** What its own phones say of it. */
  published(exchangeId: number, extension: string): Pidf | undefined;
  /** Undefined for whoever is no agent. */
  agent(exchangeId: number, extension: string): AgentTold | undefined;
};

type Watched = { exchangeId: number; extension: string; what: Package };
type Facts = {
  exchange: HomeExchange;
  sources: PresenceSources;
  version: number;
  /** The watched extension's own name. */
  name: string;
  watcher: Watcher;
};

const PACKAGES: Record<Package, (watched: Watched, facts: Facts) => News> = {
  "message-summary": ({ exchangeId, extension }, { exchange, sources }) =>
    messageSummary({ account: entityOf(extension, exchange), ...sources.voicemail(exchangeId, extension) }),
  dialog: ({ exchangeId, extension: number }, { exchange, sources, version, name, watcher }) => {
    const calls = sources.calls(exchangeId, number);
    return dialogInfo({ number, name, domain: exchange.sipDomain, version, calls }, watcher);
  },
  presence: ({ exchangeId, extension }, { exchange, sources }) => {
    const isBusy = sources.calls(exchangeId, extension).some(({ state }) => state === "confirmed");
    const said = sources.published(exchangeId, extension);
    const isOpen = sources.isReachable(exchangeId, extension) && said?.isOpen !== false;
    const note = isBusy ? "On the phone" : octetsOf(said?.note ?? "");
    return presence({ entity: entityOf(extension, exchange), isOpen, ...(note !== "" && { note }) });
  },
  "x-santral-agent": ({ exchangeId, extension }, { sources }) => ({
    headers: [{ name: "Content-Type", value: "application/json" }],
    body: octetsOf(JSON.stringify(sources.agent(exchangeId, extension) ?? {})),
  }),
};

/** To phones that are not ours. */
export const OFFERED: readonly Package[] = ["message-summary", "dialog", "presence"];

/** One's own messages and breaks are nobody else's business; a colleague's lamp is on many a key module. */
export const OWN: readonly Package[] = ["message-summary", "x-santral-agent"];

export const isPackage = (name: string): name is Package => Object.hasOwn(PACKAGES, name);

export function newsOf(watched: Watched, facts: Facts): News {
  return PACKAGES[watched.what](watched, facts);
}

const entityOf = (extension: string, { sipDomain }: HomeExchange) => `sip:${extension}@${sipDomain}`;
