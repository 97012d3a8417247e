// What the web phone asks of the exchange beside calls: who it is, how it logs in, whom it can call, what it is set to.

import type { Exchange } from "../../exchange/exchange.ts";
import type { AgentWish } from "../../exchange/features/agents/agent-status.ts";
import type { WebLogin, WebLogins } from "../../exchange/signalling/registrar/web-logins.ts";
import type { Db } from "../../store/db.ts";
import { updateExtension } from "../../store/extensions.ts";
import { listExternalNumbers } from "../../store/external-numbers.ts";
import { listAgentStates } from "../../store/statuses.ts";
import { findPeople, type Person, type RecentCall, recentCalls } from "../../store/webphone-book.ts";
import { type JsonAnswer, json, type RefusedAnswer, refuse } from "../door/answer.ts";
import type { Presence } from "../door/presence.ts";
import type { Visitor } from "./door.ts";

export type AgentShown = { status: "AVAILABLE" | "LOGGED_OUT" | "ON_BREAK"; breakDescription: string };

/** Everything the page needs to know when it opens, and again whenever its login runs out. */
export type WebphoneSession = {
  exchange: string;
  extension: string;
  name: string;
  domain: string;
  login: WebLogin;
  /** When the token itself ends, in milliseconds of the Unix clock. */
  expiresAtMs: number;
  origins: string[];
  callerIds: string[];
  callerId: string;
  dnd: boolean;
  /** Undefined for an extension that is no agent. */
  agent?: AgentShown;
};

export type PersonShown = Person & { state?: "talking" | "registered" | "unregistered" };
export type RecentShown = Omit<RecentCall, "at"> & { atMs: number };

export type DeskParts = {
  db: Db;
  webLogins: WebLogins;
  presence: Presence;
  exchange: Pick<Exchange, "moveAgent">;
};

type Asked = { visitor: Visitor; query: URLSearchParams };
type Act = (parts: DeskParts, asked: Asked) => Promise<JsonAnswer | RefusedAnswer>;

const MOST_PEOPLE = 50;
const MOST_RECENT = 50;
const LONGEST_SEARCH = 60;

export const desk: Record<`${"GET" | "POST"} ${string}`, Act> = {
  "POST /webphone/session": async (parts, { visitor }) => json(await sessionOf(parts, visitor)),

  async "GET /webphone/people"({ db, presence }, { visitor, query }) {
    const { exchangeId } = visitor;
    const search = (query.get("search") ?? "").trim().slice(0, LONGEST_SEARCH);
    const people = await findPeople(db, { exchangeId, search, most: MOST_PEOPLE });
    const shown: PersonShown[] = people
      .filter(({ kind, number }) => kind === "contact" || number !== visitor.extension)
      .map((it) => (it.kind === "contact" ? it : { ...it, state: presence.stateOf(exchangeId, it.number) }));
    return json(shown);
  },

  async "GET /webphone/calls"({ db }, { visitor: { exchangeId, extension } }) {
    const calls = await recentCalls(db, { exchangeId, extension, most: MOST_RECENT });
    return json(calls.map(({ at, ...call }): RecentShown => ({ ...call, atMs: at.getTime() })));
  },

  async "POST /webphone/dnd"(parts, { visitor, query }) {
    return change(parts, visitor, { dnd: query.get("on") === "true" });
  },

  async "POST /webphone/caller-id"(parts, { visitor, query }) {
    const number = query.get("number") ?? "";
    const owned = await listExternalNumbers(parts.db, visitor.exchangeId);
    if (!owned.some((it) => it.number === number)) return refuse({ refused: "invalid", field: "caller_id" });
    return change(parts, visitor, { outbound_caller_id: number });
  },

  async "POST /webphone/agent"(parts, { visitor, query }) {
    const wish = wishes[query.get("wish") ?? ""];
    if (!wish) return refuse({ refused: "invalid", field: "wish" });
    const { exchangeId, extension } = visitor;
    const description = (query.get("description") ?? "").slice(0, LONGEST_SEARCH);
    const by = { doer: "web phone", who: extension } as const;
    const outcome = await parts.exchange.moveAgent({ exchangeId, extension, wish, description, by });
    if ("refused" in outcome && outcome.refused === "no-agent") return refuse({ refused: "no-agent" });
    return json((await agentOf(parts.db, visitor)) ?? {});
  },
};

const wishes: Partial<Record<string, AgentWish>> = {
  logIn: "logIn",
  logOut: "logOut",
  pause: "pause",
  resume: "resume",
} satisfies Record<AgentWish, AgentWish>;

async function sessionOf({ db, webLogins }: DeskParts, visitor: Visitor): Promise<WebphoneSession> {
  const { exchangeId, sipDomain, extension, token } = visitor;
  const [numbers, agent] = await Promise.all([listExternalNumbers(db, exchangeId), agentOf(db, visitor)]);
  return {
    exchange: visitor.exchangeName,
    extension,
    name: visitor.name,
    domain: sipDomain,
    login: webLogins.issue({ exchangeId, sipDomain, extension, token }),
    expiresAtMs: visitor.expiresAt.getTime(),
    origins: visitor.origins,
    callerIds: numbers.map(({ number }) => number),
    callerId: visitor.outboundCallerId ?? "",
    dnd: visitor.dnd,
    ...(agent && { agent }),
  };
}

async function agentOf(db: Db, { exchangeId, extension }: Visitor): Promise<AgentShown | undefined> {
  const [agent] = await listAgentStates(db, exchangeId, { agent: extension, queue: undefined });
  return agent && { status: agent.status, breakDescription: agent.breakDescription ?? "" };
}

async function change({ db }: DeskParts, { exchangeId, extension }: Visitor, changes: Record<string, unknown>) {
  const changed = await updateExtension(db, { exchangeId, number: extension, changes });
  return changed ? json({}) : refuse({ refused: "no-user", extension });
}
