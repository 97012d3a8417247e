// The machine and its backups, for those who run it.

import { Type } from "typebox";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import type { SystemOffice } from "../operation/system-office.ts";
import { name, nothing, timeOfDay, whole } from "./fields.ts";

const backup = Type.Object({ name: name(64) });
const noBackup = (which: string) => ({ refused: "not-found", what: "backup", which }) as const;

export const system = {
  "system.show": operation({
    right: "run-servers",
    reads: true,
    parameters: nothing,
    handle: (_, context) => asOperator(context, async (office) => ({ facts: await office.facts() })),
  }),

  "backups.list": operation({
    right: "run-servers",
    reads: true,
    parameters: nothing,
    handle: (_, context) => asOperator(context, (office) => office.backups()),
  }),

  "backups.make": operation({
    right: "run-servers",
    apart: true,
    parameters: nothing,
    handle: (_, context) =>
      asOperator(context, async (office) => (office.makeBackup() ? {} : ({ refused: "backup-under-way" } as const))),
  }),

  "backups.plan": operation({
    right: "run-servers",
    apart: true,
    parameters: Type.Object({ every: Type.Enum(["never", "day", "week"]), at: timeOfDay(), keep: whole(1, 365) }),
    async former(_, { system, exchangeId }) {
      if (!system || !(await system.isOperator(exchangeId))) return undefined;
      const { plan } = await system.backups();
      return plan ? { every: plan.every, at: plan.at, keep: plan.keep } : { every: "never" };
    },
    handle: ({ every, at, keep }, context) =>
      asOperator(context, async (office) => {
        const { timeZone } = context.tenant;
        await office.planBackups(every === "never" ? null : { every, at, keep, timeZone });
        return {};
      }),
  }),

  "backups.download": operation({
    right: "run-servers",
    fresh: true,
    apart: true,
    parameters: backup,
    handle: ({ name }, context) =>
      asOperator(context, async (office) => {
        const word = await office.lendBackup(name, context.exchangeId);
        return word === undefined ? noBackup(name) : { word };
      }),
  }),

  "backups.delete": operation({
    right: "run-servers",
    apart: true,
    parameters: backup,
    handle: ({ name }, context) =>
      asOperator(context, async (office) => ((await office.removeBackup(name)) ? {} : noBackup(name))),
  }),
};

async function asOperator<Reply>(
  { system, exchangeId }: Pick<ConsoleContext, "system" | "exchangeId">,
  act: (office: SystemOffice) => Promise<Reply>,
) {
  if (!system) return { refused: "not-running" } as const;
  return (await system.isOperator(exchangeId)) ? act(system) : ({ refused: "not-operator" } as const);
}
