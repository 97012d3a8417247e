// Outbound rules: by which trunk calls leave, in the order in which they are tried.

import { Type } from "typebox";
import { outboundRule } from "../../../nouns/outbound-rule.ts";
import {
  createOutboundRule,
  deleteOutboundRule,
  listOutboundRules,
  moveOutboundRule,
  shadowedRules,
  updateOutboundRule,
} from "../../../store/outbound-rules.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import { id, name, nothing } from "./fields.ts";
import { wholeSchemas } from "./noun-schema.ts";

const fields = wholeSchemas(outboundRule);

export const rules = {
  "rules.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      const rules = await listOutboundRules(db, exchangeId);
      const shadows = new Map(shadowedRules(rules).map(({ rule, by }) => [rule, by]));
      return rules.map((rule) => ({ ...rule, shadowedBy: shadows.get(rule.name) ?? null }));
    },
  }),

  "rules.create": operation({
    right: "set-up",
    parameters: Type.Object(fields),
    async handle(sent, context) {
      const checked = await checkedChanges(outboundRule, sent, context);
      if ("refused" in checked) return checked;
      const made = await createOutboundRule(context.db, { ...checked.kept, exchangeId: context.exchangeId });
      return isRefusal(made) ? made : {};
    },
  }),

  "rules.update": operation({
    right: "set-up",
    parameters: Type.Object({ id: id(), ...fields }),
    async handle({ id, ...sent }, context) {
      const checked = await checkedChanges(outboundRule, sent, context);
      if ("refused" in checked) return checked;
      const rule = { ...checked.kept, id, exchangeId: context.exchangeId };
      const changed = await updateOutboundRule(context.db, rule);
      return isRefusal(changed) ? changed : {};
    },
  }),

  "rules.move": operation({
    right: "set-up",
    parameters: Type.Object({ id: id(), up: Type.Boolean() }),
    async handle(wanted, { db, exchangeId }) {
      const moved = await moveOutboundRule(db, { ...wanted, exchangeId });
      return isRefusal(moved) ? moved : {};
    },
  }),

  "rules.delete": operation({
    right: "set-up",
    parameters: Type.Object({ name: name(64) }),
    handle: async ({ name }, { db, exchangeId }) =>
      (await deleteOutboundRule(db, exchangeId, name))
        ? {}
        : ({ refused: "not-found", what: "rule", which: name } as const),
  }),
};
