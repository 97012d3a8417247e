// Outbound rules: by which trunk calls leave, in the order in which they are tried.

import { type Static, Type } from "typebox";
import {
  createOutboundRule,
  deleteOutboundRule,
  listOutboundRules,
  moveOutboundRule,
  shadowedRules,
  updateOutboundRule,
} from "../../../store/outbound-rules.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";
import { checkedChanges } from "./checked-changes.ts";
import { id, name, nothing, orNothing, whole } from "./fields.ts";

const fields = {
  name: name(64),
  prefix: Type.String({ pattern: "^[0-9]{0,15}$" }),
  priority: whole(0, 100_000),
  trunk: orNothing(64),
  callerId: orNothing(15),
};
const Rule = Type.Object(fields);

export const rules = {
  "rules.list": operation({
    role: "read-only",
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      const rules = await listOutboundRules(db, exchangeId);
      const shadows = new Map(shadowedRules(rules).map(({ rule, by }) => [rule, by]));
      return rules.map((rule) => ({ ...rule, shadowedBy: shadows.get(rule.name) ?? null }));
    },
  }),

  "rules.create": operation({
    role: "administrator",
    parameters: Rule,
    async handle(sent, context) {
      const rule = await checked(sent, context);
      if ("refused" in rule) return rule;
      const made = await createOutboundRule(context.db, { ...rule, exchangeId: context.exchangeId });
      return isRefusal(made) ? made : {};
    },
  }),

  "rules.update": operation({
    role: "administrator",
    parameters: Type.Object({ id: id(), ...fields }),
    async handle({ id, ...sent }, context) {
      const rule = await checked(sent, context);
      if ("refused" in rule) return rule;
      const changed = await updateOutboundRule(context.db, { ...rule, id, exchangeId: context.exchangeId });
      return isRefusal(changed) ? changed : {};
    },
  }),

  "rules.move": operation({
    role: "administrator",
    parameters: Type.Object({ id: id(), up: Type.Boolean() }),
    async handle(wish, { db, exchangeId }) {
      const moved = await moveOutboundRule(db, { ...wish, exchangeId });
      return isRefusal(moved) ? moved : {};
    },
  }),

  "rules.delete": operation({
    role: "administrator",
    parameters: Type.Object({ name: name(64) }),
    handle: async ({ name }, { db, exchangeId }) =>
      (await deleteOutboundRule(db, exchangeId, name))
        ? {}
        : ({ refused: "not-found", what: "rule", which: name } as const),
  }),
};

type Wanted = Omit<Static<typeof Rule>, "trunk" | "callerId"> & {
  trunk: string | undefined;
  callerId: string | undefined;
};

/** What was left empty was not said; a number that is shown must be ours. */
async function checked(
  { trunk, callerId, ...rule }: Static<typeof Rule>,
  { db, exchangeId }: ConsoleContext,
): Promise<Wanted | ConsoleRefusal> {
  const own = await checkedChanges(callerId ? { outbound_caller_id: callerId } : {}, { db, exchangeId });
  return "refused" in own ? own : { ...rule, trunk: trunk || undefined, callerId: callerId || undefined };
}
