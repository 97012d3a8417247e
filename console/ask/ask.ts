// Asks the server for one of its operations by name. Names, parameters and replies are the server's own types.

import type { ConsoleApi } from "../../src/http/console/api.ts";
import type { Gives, Takes } from "../../src/http/console/operation/operation.ts";
import type { ConsoleRefusal } from "../../src/http/console/operation/refusal.ts";
import { Refused } from "../words/refused.ts";

export type OperationName = keyof ConsoleApi;
export type Parameters<Name extends OperationName> = Takes<ConsoleApi, Name>;
export type Reply<Name extends OperationName> = Gives<ConsoleApi, Name>;

/** Nobody answered, or not in a way we understand. */
class Unreachable extends Error {}

export async function ask<Name extends OperationName>(name: Name, parameters: Parameters<Name>): Promise<Reply<Name>> {
  return post(name, parameters) as Promise<Reply<Name>>; // typed by the operation's own handler
}

export function signIn(credentials: { email: string; password: string; code?: string }): Promise<unknown> {
  return post("session.signIn", credentials);
}

export function signOut(): Promise<unknown> {
  return post("session.signOut", {});
}

async function post(name: string, body: unknown): Promise<unknown> {
  const response = await fetch(`/console/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-santral-console": "1" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Unreachable();
  });
  const reply: unknown = await response.json().catch(() => {
    throw new Unreachable();
  });
  if (response.ok) return reply;
  throw new Refused(reply as ConsoleRefusal);
}
