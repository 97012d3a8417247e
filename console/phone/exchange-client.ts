// What the page asks of the exchange over HTTP. The types are the server's own.

import type { Answers } from "../../src/forms/answers.ts";
import type {
  AgentShown,
  FormSaved,
  FormShown,
  PersonShown,
  RecentShown,
  WebphoneSession,
} from "../../src/http/webphone/shown.ts";
import type { Language } from "../../src/languages.ts";

export type { PersonShown, RecentShown };

/** `gone`: the token is not good any more. `unreachable`: try again. */
export type Asked<Value> = { is: "said"; value: Value } | { is: "gone" } | { is: "unreachable" };

export type ExchangeClient = {
  session(): Promise<Asked<WebphoneSession>>;
  people(search: string): Promise<PersonShown[]>;
  calls(): Promise<RecentShown[]>;
  setDnd(on: boolean): Promise<boolean>;
  setCallerId(number: string): Promise<boolean>;
  moveAgent(request: string, description: string): Promise<AgentShown | undefined>;
  /** Undefined when nobody answered. */
  forms(): Promise<FormShown[] | undefined>;
  saveForm(call: string, answers: Answers): Promise<FormSaved | undefined>;
  putFormAside(call: string): Promise<boolean>;
};

const PATIENCE_MS = 10_000;

export function openExchangeClient(token: () => string, language: () => Language): ExchangeClient {
  async function ask<Value>(method: "GET" | "POST", path: string, query: Record<string, string> = {}, body?: object) {
    try {
      const answer = await fetch(`/webphone/${path}?${new URLSearchParams(query)}`, {
        method,
        headers: { authorization: `Bearer ${token()}`, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (answer.status === 401) return { is: "gone" } as const;
      if (!answer.ok) return { is: "unreachable" } as const;
      return { is: "said", value: (await answer.json()) as Value } as const; // the server's own type
    } catch {
      return { is: "unreachable" } as const;
    }
  }
  const listed = async <Value>(asking: Promise<Asked<Value[]>>) => {
    const answer = await asking;
    return answer.is === "said" ? answer.value : [];
  };
  const said = async <Value>(asking: Promise<Asked<Value>>) => {
    const answer = await asking;
    return answer.is === "said" ? answer.value : undefined;
  };
  return {
    session: () => ask("POST", "session"),
    people: (search) => listed(ask("GET", "people", { search, language: language() })),
    calls: () => listed(ask("GET", "calls")),
    setDnd: async (on) => (await ask("POST", "dnd", { on: String(on) })).is === "said",
    setCallerId: async (number) => (await ask("POST", "caller-id", { number })).is === "said",
    moveAgent: (request, description) => said(ask<AgentShown>("POST", "agent", { request, description })),
    forms: () => said(ask<FormShown[]>("GET", "forms")),
    saveForm: (call, answers) => said(ask<FormSaved>("POST", "form", { call }, { answers: JSON.stringify(answers) })),
    putFormAside: async (call) => (await ask("POST", "form-aside", { call })).is === "said",
  };
}
