// Every "no" the console may hear, as a value: the browser has words for each in both languages.

import type { Refusal } from "../../../exchange/calls/refusal.ts";
import type { AgentStatus } from "../../../exchange/features/agents/agent-status.ts";
import type { TargetProblem } from "../../../exchange/plan/checked-target.ts";
import type { StaffRole } from "../../../nouns/role.ts";
import type { ConsentRefusal } from "../../../sms/consent.ts";
import type { SendRefusal } from "../../../sms/order.ts";
import type { SetupRefusal } from "../../../store/refusal.ts";
import type { SignInRefusal } from "../../../store/staff-sign-in.ts";

/** The words of the SMS interface for what it does not take. */
export type SmsCode = SendRefusal["refused"] | ConsentRefusal["refused"];

type OwnRefusal =
  /** What was sent does not fit the schema: a mistake of the page, or of whoever wrote the request by hand. */
  | { refused: "invalid"; field: string; text: string }
  | { refused: "signed-out" }
  | { refused: "password-must-change" }
  | { refused: "weak-password"; least: number }
  | { refused: "same-password" }
  | { refused: "not-your-role"; needs: StaffRole }
  | { refused: "too-many"; seconds: number }
  | { refused: "last-administrator" }
  | { refused: "yourself" }
  | { refused: "not-running" }
  | { refused: "bad-target"; target: string; why: TargetProblem }
  | { refused: "not-own-number"; number: string }
  | { refused: "no-receiver" }
  | { refused: "no-voice" }
  | { refused: "no-agent" }
  | { refused: "no-sms-account" }
  | { refused: "no-staff"; extension: string }
  | { refused: "empty-file" }
  | { refused: "unreadable-file" }
  | { refused: "external-contacts" }
  | { refused: "sms"; code: SmsCode }
  /** What was asked of an agent cannot be done in the state he is in. */
  | { refused: "agent-is"; status: AgentStatus }
  /** A sentence of the exchange's own interface, where it has no finer word. */
  | { refused: "said"; text: string };

export type ConsoleRefusal = OwnRefusal | SignInRefusal | SetupRefusal | Refusal;

const statuses: Partial<Record<ConsoleRefusal["refused"], number>> = {
  "signed-out": 401,
  "wrong-password": 401,
  "wrong-code": 401,
  "code-needed": 401,
  locked: 401,
  "password-must-change": 403,
  "not-your-role": 403,
  "not-found": 404,
  "no-such-call": 404,
  "number-taken": 409,
  "name-taken": 409,
  "in-use": 409,
  "too-many": 429,
  "not-running": 503,
  "secret-unreadable": 503,
  overloaded: 503,
  closing: 503,
};

export function statusOf({ refused }: ConsoleRefusal): number {
  return statuses[refused] ?? 400;
}

export function isRefused(reply: unknown): reply is ConsoleRefusal {
  return typeof reply === "object" && reply !== null && "refused" in reply && typeof reply.refused === "string";
}
