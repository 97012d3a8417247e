// What those who run several servers do with them: look, have one give its exchanges away, and let it take them again.

import { Type } from "typebox";
import type { Wanted } from "../../../store/nodes.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import { nothing } from "./fields.ts";

const NOT_OPERATOR = { refused: "not-operator" } as const;
const which = Type.Object({ name: Type.String({ pattern: "^[\\w.-]{1,63}$" }) });

export const nodes = {
  "nodes.list": operation({
    right: "run-servers",
    reads: true,
    parameters: nothing,
    handle: async (_, { nodes }) => (nodes ? nodes.list() : NOT_OPERATOR),
  }),

  "nodes.drain": operation({
    right: "run-servers",
    apart: true,
    parameters: which,
    handle: ({ name }, context) => tell(name, { state: "draining", hasty: false }, context),
  }),

  "nodes.resume": operation({
    right: "run-servers",
    apart: true,
    parameters: which,
    handle: ({ name }, context) => tell(name, { state: "up", hasty: false }, context),
  }),
};

async function tell(name: string, wanted: Wanted, { nodes }: ConsoleContext) {
  if (!nodes) return NOT_OPERATOR;
  return (await nodes.tell(name, wanted)) ? {} : ({ refused: "no-such-node", name } as const);
}
