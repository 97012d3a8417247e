// santral menu: voice menus, and which key leads where.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { menu as menuNoun } from "../nouns/menu.ts";
import { giveUp } from "../server/give-up.ts";
import { createMenu, deleteMenu, listMenus, updateMenu } from "../store/menus.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

export function addMenuCommands(program: Command, clock: Clock): void {
  const menu = program.command("menu").description("voice menus");
  exchangeCommand(menu, clock, {
    usage: "create <number> <name> [settings...]",
    says: "make a voice menu",
    changes: true,
    act: async ({ words: [number = "", name = ""], rest }, { db, exchange, settings }) => {
      const changes = await settings(menuNoun, rest);
      const made = orGiveUp(await createMenu(db, { exchangeId: exchange.id, number, name, changes }));
      return said(`menu ${number} is made`, made);
    },
  }).addHelpText("after", settingsHelp(menuNoun));
  exchangeCommand(menu, clock, {
    usage: "list",
    says: "all voice menus",
    act: async (_, { db, exchange }) =>
      table(await listMenus(db, exchange.id), ["number", "name", "keyTargets", "timeoutTarget", "invalidTarget"]),
  });
  exchangeCommand(menu, clock, {
    usage: "set <number> <settings...>",
    says: "change settings of a voice menu",
    changes: true,
    act: async ({ words: [number = ""], rest }, { db, exchange, settings }) => {
      const changes = await settings(menuNoun, rest, number);
      if (!(await updateMenu(db, { exchangeId: exchange.id, number, changes }))) giveUp(`there is no menu ${number}`);
      return said(`menu ${number} is changed`, changes);
    },
  }).addHelpText("after", settingsHelp(menuNoun));
  exchangeCommand(menu, clock, {
    usage: "delete <number>",
    says: "delete a voice menu",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [number = ""] = given.words;
      await sureAbout(`Delete menu ${number}?`, given);
      orGiveUp(await deleteMenu(db, exchange.id, number));
      return said(`menu ${number} is deleted`, { number, deleted: true });
    },
  });
}
