// Which status of HTTP goes with a refusal of the console; the browser has words for each in every language.

import type { ConsoleRefusal } from "../../../words/refusals/refusal.ts";

export type { ConsoleRefusal };

const statuses: Partial<Record<ConsoleRefusal["refused"], number>> = {
  "signed-out": 401,
  "wrong-password": 401,
  "wrong-code": 401,
  "passwords-off": 401,
  "code-needed": 401,
  "password-must-change": 403,
  "second-factor-first": 403,
  "prove-yourself": 403,
  "not-your-role": 403,
  "not-operator": 403,
  "no-such-node": 404,
  "not-found": 404,
  "no-such-call": 404,
  "number-taken": 409,
  "emergency-number": 409,
  "name-taken": 409,
  "in-use": 409,
  "test-under-way": 409,
  "too-many": 429,
  "not-running": 503,
  "secret-unreadable": 503,
  overloaded: 503,
  closing: 503,
  "given-up": 503,
};

export function statusOf({ refused }: ConsoleRefusal): number {
  return statuses[refused] ?? 400;
}

export function isRefused(reply: unknown): reply is ConsoleRefusal {
  return typeof reply === "object" && reply !== null && "refused" in reply && typeof reply.refused === "string";
}
