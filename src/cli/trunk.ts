// santral trunk: the lines to carriers.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { trunk as trunkNoun } from "../nouns/trunk.ts";
import { giveUp } from "../server/give-up.ts";
import { createTrunk, deleteTrunk, listTrunks, updateTrunk } from "../store/trunks.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { readSettings, settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

export function addTrunkCommands(program: Command, clock: Clock): void {
  const trunk = program.command("trunk").description("trunks: the lines to carriers");
  exchangeCommand(trunk, clock, {
    usage: "create <name> <host> [settings...]",
    says: "make a trunk",
    changes: true,
    act: async ({ words: [name = "", host = ""], rest }, { db, secrets, exchange }) => {
      const where = { db, exchangeId: exchange.id };
      const changes = await readSettings(trunkNoun, [`host=${host}`, ...rest], where);
      const made = orGiveUp(await createTrunk(db, secrets, { exchangeId: exchange.id, name, host, changes }));
      return said(`trunk ${name} is made`, made);
    },
  }).addHelpText("after", settingsHelp(trunkNoun));
  exchangeCommand(trunk, clock, {
    usage: "list",
    says: "all trunks",
    act: async (_, { db, exchange }) =>
      table(await listTrunks(db, exchange.id), [
        "name",
        "host",
        "port",
        "transport",
        "registers",
        "priority",
        "t38",
        "active",
      ]),
  });
  exchangeCommand(trunk, clock, {
    usage: "set <name> <settings...>",
    says: "change settings of a trunk",
    changes: true,
    act: async ({ words: [name = ""], rest }, { db, secrets, exchange }) => {
      const changes = await readSettings(trunkNoun, rest, { db, exchangeId: exchange.id });
      const wanted = { exchangeId: exchange.id, name, changes };
      if (!(await updateTrunk(db, secrets, wanted))) giveUp(`there is no trunk ${name}`);
      const { password: _password, ...told } = changes;
      return said(`trunk ${name} is changed`, told);
    },
  }).addHelpText("after", settingsHelp(trunkNoun));
  exchangeCommand(trunk, clock, {
    usage: "delete <name>",
    says: "delete a trunk",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [name = ""] = given.words;
      await sureAbout(`Delete trunk ${name}?`, given);
      orGiveUp(await deleteTrunk(db, exchange.id, name));
      return said(`trunk ${name} is deleted`, { name, deleted: true });
    },
  });
}
