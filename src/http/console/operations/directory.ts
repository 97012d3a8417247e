// Who and what there is, by number and name alone: for choosing one, by those who do not see how it is set up.

import { listNames } from "../../../store/names.ts";
import { seesQueue } from "../../../store/scope.ts";
import { operation } from "../operation/operation.ts";
import { nothing } from "./fields.ts";

export const directory = {
  "directory.list": operation({
    right: "directory",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, scope }) {
      const names = await listNames(db, exchangeId);
      return { ...names, queues: names.queues.filter(({ number }) => seesQueue(scope, number)) };
    },
  }),
};
