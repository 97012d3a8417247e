// Asks the server for one of its operations by name. Names, parameters and replies are the server's own types.

import type { ConsoleApi } from "../../src/http/console/api.ts";
import type { Gives, Takes } from "../../src/http/console/operation/operation.ts";
import type { ConsoleRefusal } from "../../src/http/console/operation/refusal.ts";
import { Refused } from "../words/refused.ts";
import { suspectLoss } from "./connection.ts";

export type OperationName = keyof ConsoleApi;
export type Parameters<Name extends OperationName> = Takes<ConsoleApi, Name>;
export type Reply<Name extends OperationName> = Gives<ConsoleApi, Name>;

/** Nobody answered, or not in a way we understand. */
class Unreachable extends Error {}

/** Nobody can answer right now, and it is known when it is worth another try. */
class ComeAgain extends Unreachable {
  readonly seconds: number;

  constructor(seconds: number) {
    super();
    this.seconds = seconds;
  }
}

/** After how long a question that failed may be put again; undefined when that is not known, or of no use. */
export function secondsUntilNext(fault: unknown): number | undefined {
  if (fault instanceof ComeAgain) return fault.seconds;
  return fault instanceof Refused && fault.refusal.refused === "given-up" ? fault.refusal.seconds : undefined;
}

export async function ask<Name extends OperationName>(name: Name, parameters: Parameters<Name>): Promise<Reply<Name>> {
  const reply = post(name, parameters).catch(async (fault: unknown) => {
    if (!(fault instanceof Refused && fault.refusal.refused === "prove-yourself" && (await askProof?.()))) throw fault;
    return post(name, parameters);
  });
  return reply as Promise<Reply<Name>>; // typed by the operation's own handler
}

/** Asks whoever sits there who he is, and tells whether he has shown it. */
let askProof: (() => Promise<boolean>) | undefined;

/** `asks` is who asks from now on, as long as it is wanted. */
export function letProve(asks: () => Promise<boolean>): () => void {
  askProof = asks;
  return () => {
    if (askProof === asks) askProof = undefined;
  };
}

export function prove(shown: { password: string; code?: string }): Promise<unknown> {
  return post("session.prove", shown);
}

export function signIn(credentials: { email: string; password: string; code?: string }): Promise<unknown> {
  return post("session.signIn", credentials);
}

/** `url`: where the session at the provider ends as well. */
export function signOut(): Promise<{ url?: string }> {
  return post("session.signOut", {}) as Promise<{ url?: string }>; // as the entrance answers
}

export type Door = { exchangeId: number; label: string; passwords: boolean };

/** Whether the exchange of a domain, or the only one, has a provider to sign in by. */
export function askDoor(exchange: string): Promise<{ door: Door | null; several: boolean }> {
  const query = new URLSearchParams({ exchange });
  return send(`/console/sso/door?${query}`, {}) as Promise<{ door: Door | null; several: boolean }>; // as it is answered
}

/** Where the provider takes over. */
export function beginSignOn(exchangeId: number, back: string, again = false): Promise<{ url: string }> {
  return send(`/console/sso/${exchangeId}/begin`, { back, ...(again ? { again } : {}) }) as Promise<{ url: string }>; // as it is answered
}

function post(name: string, body: unknown): Promise<unknown> {
  return send(`/console/api/${name}`, body);
}

async function send(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-santral-console": "1" },
    body: JSON.stringify(body),
  }).catch(() => {
    suspectLoss();
    throw new Unreachable();
  });
  const again = response.status === 503 ? Number(response.headers.get("retry-after")) : 0;
  const reply: unknown = await response.json().catch(() => {
    if (again > 0) throw new ComeAgain(again);
    suspectLoss();
    throw new Unreachable();
  });
  if (response.ok) return reply;
  throw new Refused(reply as ConsoleRefusal);
}
