// santral key: make, list, revoke. A key is shown once, when it is made.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import { createApiKey, listApiKeys, revokeApiKey, revokeOtherApiKeys, untilKeysForgotten } from "../store/api-keys.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { said, table } from "./show.ts";

export function addKeyCommands(program: Command, clock: Clock): void {
  const key = program.command("key").description("API keys of an exchange");
  exchangeCommand(key, clock, {
    usage: "create",
    says: "make a key; it is shown only now",
    options: [["--label <text>", "what it is for"], ["--only", "revoke every other key of the exchange at once"], YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const { only, label } = given.options;
      if (only) await sureAbout(`Revoke every other key of exchange ${exchange.id}?`, given);
      const made = await createApiKey(db, exchange.id, { label: String(label ?? "").slice(0, 200) });
      const revoked = only ? await revokeOtherApiKeys(db, exchange.id, made.id) : 0;
      if (only) await untilKeysForgotten(clock);
      const lines = [
        `key ${made.id} (shown only now): ${made.key}`,
        ...(only ? [`${revoked} other keys are revoked`] : []),
      ];
      return said(lines, { id: made.id, key: made.key, label: made.label, revoked });
    },
  });
  exchangeCommand(key, clock, {
    usage: "list",
    says: "keys, without the part that opens the door",
    act: async (_, { db, exchange }) =>
      table(await listApiKeys(db, exchange.id), ["id", "hint", "label", "createdAt", "revokedAt"]),
  });
  exchangeCommand(key, clock, {
    usage: "revoke <id>",
    says: "end a key at once",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [id = ""] = given.words;
      await sureAbout(`Revoke key ${id}? Whoever uses it is refused from then on.`, given);
      if (!/^\d{1,15}$/.test(id) || !(await revokeApiKey(db, exchange.id, Number(id))))
        giveUp(`there is no working key ${id}; "santral key list" shows their ids`);
      await untilKeysForgotten(clock);
      return said(`key ${id} is revoked`, { id: Number(id), revoked: true });
    },
  });
}
