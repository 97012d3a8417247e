// What the web phone asks of the exchange beside calls: who it is, how it logs in, whom it can call, what it is set to.

import type { AgentRequest } from "../../exchange/features/agents/agent-status.ts";
import { firstLanguage, languageIn } from "../../languages.ts";
import { deskSettings } from "../../store/agent-desk.ts";
import type { Db } from "../../store/db.ts";
import { updateExtension } from "../../store/extensions.ts";
import { listExternalNumbers } from "../../store/external-numbers.ts";
import { asksForms } from "../../store/forms.ts";
import { listAgentStates } from "../../store/statuses.ts";
import { findPeople, recentCalls } from "../../store/webphone-people.ts";
import { json, refuse } from "../door/answer.ts";
import { limit, unstored } from "../door/guards.ts";
import type { AgentShown, PersonShown, RecentShown, WebphoneSession } from "./shown.ts";
import { token, type Visitor, type WebphoneContext, webphoneEndpoint } from "./token.ts";

const guards = [unstored, token, limit("webphone")];
const MOST_PEOPLE = 50;
const MOST_RECENT = 50;
const LONGEST_SEARCH = 60;
const LONGEST_BREAK = 100;

const openSession = webphoneEndpoint({
  methods: ["POST"],
  paths: ["/webphone/session"],
  guards,
  handle: async (_, context) => json(await sessionOf(context)),
});

const listPeople = webphoneEndpoint({
  methods: ["GET"],
  paths: ["/webphone/people"],
  guards,
  async handle(query, { db, presence, exchangeId, visitor }) {
    const search = (query.get("search") ?? "").trim().slice(0, LONGEST_SEARCH);
    const language = languageIn(query.get("language")) ?? firstLanguage.phone;
    const people = await findPeople(db, { exchangeId, search, most: MOST_PEOPLE, language });
    const shown: PersonShown[] = people
      .filter(({ kind, number }) => kind === "contact" || number !== visitor.extension)
      .map((it) => (it.kind === "contact" ? it : { ...it, state: presence.stateOf(exchangeId, it.number) }));
    return json(shown);
  },
});

const listRecentCalls = webphoneEndpoint({
  methods: ["GET"],
  paths: ["/webphone/calls"],
  guards,
  async handle(_, { db, exchangeId, visitor: { extension } }) {
    const calls = await recentCalls(db, { exchangeId, extension, most: MOST_RECENT });
    return json(calls.map(({ at, ...call }): RecentShown => ({ ...call, atMs: at.getTime() })));
  },
});

const setDnd = webphoneEndpoint({
  methods: ["POST"],
  paths: ["/webphone/dnd"],
  guards,
  handle: (query, context) => change(context, { dnd: query.get("on") === "true" }),
});

const setCallerId = webphoneEndpoint({
  methods: ["POST"],
  paths: ["/webphone/caller-id"],
  guards,
  async handle(query, context) {
    const number = query.get("number") ?? "";
    const owned = await listExternalNumbers(context.db, context.exchangeId);
    if (!owned.some((it) => it.number === number)) return refuse({ refused: "invalid", field: "caller_id" });
    return change(context, { outbound_caller_id: number });
  },
});

const moveAgent = webphoneEndpoint({
  methods: ["POST"],
  paths: ["/webphone/agent"],
  guards,
  async handle(query, { db, exchange, exchangeId, visitor, limit }) {
    const request = wanted[query.get("request") ?? ""];
    if (!request) return refuse({ refused: "invalid", field: "wish" });
    const { extension } = visitor;
    const description = (query.get("description") ?? "").slice(0, LONGEST_BREAK);
    const by = { doer: "web phone", who: extension } as const;
    const outcome = await exchange.moveAgent({ exchangeId, extension, request, description, by }, limit);
    if ("refused" in outcome && outcome.refused === "no-agent") return refuse({ refused: "no-agent" });
    return json((await agentOf(db, visitor)) ?? {});
  },
});

export const webphoneRequests = [openSession, listPeople, listRecentCalls, setDnd, setCallerId, moveAgent];

const wanted: Partial<Record<string, AgentRequest>> = {
  logIn: "logIn",
  logOut: "logOut",
  pause: "pause",
  resume: "resume",
} satisfies Record<AgentRequest, AgentRequest>;

async function sessionOf({ db, webLogins, visitor }: WebphoneContext): Promise<WebphoneSession> {
  const { exchangeId, sipDomain, extension, token } = visitor;
  const [numbers, agent, hasForms, { breaks }] = await Promise.all([
    listExternalNumbers(db, exchangeId),
    agentOf(db, visitor),
    asksForms(db, exchangeId),
    deskSettings(db, exchangeId),
  ]);
  return {
    exchange: visitor.exchangeName,
    timeZone: visitor.timeZone,
    extension,
    name: visitor.name,
    domain: sipDomain,
    login: webLogins.issue({ exchangeId, sipDomain, extension, token }),
    expiresAtMs: visitor.expiresAt.getTime(),
    origins: visitor.origins,
    callerIds: numbers.map(({ number }) => number),
    callerId: visitor.outboundCallerId ?? "",
    dnd: visitor.dnd,
    hasForms,
    breaks,
    ...(agent && { agent }),
  };
}

async function agentOf(db: Db, { exchangeId, extension }: Visitor): Promise<AgentShown | undefined> {
  const [agent] = await listAgentStates(db, exchangeId, { agent: extension, queue: undefined });
  return agent && { status: agent.status, breakDescription: agent.breakDescription ?? "" };
}

async function change({ db, exchangeId, visitor }: WebphoneContext, changes: Record<string, unknown>) {
  const { extension } = visitor;
  const changed = await updateExtension(db, { exchangeId, number: extension, changes });
  return changed ? json({}) : refuse({ refused: "no-user", extension });
}
