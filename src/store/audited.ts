// What the audit trail keeps of a request: everything that was asked for, without secrets and without long contents.

import { HIDDEN } from "./audit-facts.ts";

const LONGEST = 300;
const SECRETS = new Set(["password", "oldPassword", "newPassword", "pin", "code", "secret", "token"]);
/** Lists that say who may do what: told as a number of entries, nobody would know who was among them. */
const WHOLE = new Set(["members", "queues", "group_ids"]);

export function audited(parameters: Record<string, unknown>, hides: readonly string[]): Record<string, unknown> {
  const hidden = new Set([...SECRETS, ...hides]);
  const shorten = (value: unknown): unknown => {
    if (typeof value === "string") return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
    if (Array.isArray(value)) return value.length > 50 ? `${value.length} entries` : value.map(shorten);
    return typeof value === "object" && value !== null ? clean(value as Record<string, unknown>) : value;
  };
  const clean = (record: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        hidden.has(name) ? HIDDEN : WHOLE.has(name) && Array.isArray(value) ? value.map(shorten) : shorten(value),
      ]),
    );
  return clean(parameters);
}
