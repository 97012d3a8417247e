// santral menu: voice menus, and which key leads where.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import { createMenu, deleteMenu, listMenus, updateMenu } from "../store/menus.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import * as read from "./readers.ts";
import { readSettings, settings, settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

/** `1:group/700;2:queue/200`: a phrase may hold a comma, so a semicolon parts the keys. */
const keys: read.Reader = async (value, where) => {
  const targets: Record<string, string> = {};
  for (const part of value.split(";").flatMap((it) => it.trim() || [])) {
    const [, key, wanted] = /^([0-9*#]):(.+)$/.exec(part) ?? [];
    if (key === undefined || wanted === undefined)
      return { unreadable: `KEY:TARGET;KEY:TARGET with keys 0-9, * and #, not "${part}"` };
    const target = await read.target("menu")(wanted, where);
    if (typeof target !== "string") return target;
    targets[key] = target;
  }
  return targets;
};

const known = settings({
  name: ["text", read.required],
  welcome: ["id of a sound, or empty", read.optional(read.announcement), "welcome_announcement_id"],
  keys: ["1:group/700;2:queue/200", keys, "key_targets"],
  "timeout-target": ["target when no key comes, or empty", read.optional(read.target("menu"))],
  "invalid-target": ["target of every other key, or empty", read.optional(read.target("menu"))],
  retries: ["0 to 10", read.whole(0, 10)],
  "key-seconds": ["1 to 30", read.whole(1, 30)],
});

export function addMenuCommands(program: Command, clock: Clock): void {
  const menu = program.command("menu").description("voice menus");
  exchangeCommand(menu, clock, {
    usage: "create <number> <name> [settings...]",
    says: "make a voice menu",
    changes: true,
    act: async ({ words: [number = "", name = ""], rest }, { db, exchange }) => {
      const changes = await readSettings(known, rest, { db, exchangeId: exchange.id });
      const made = orGiveUp(await createMenu(db, { exchangeId: exchange.id, number, name, changes }));
      return said(`menu ${number} is made`, made);
    },
  }).addHelpText("after", settingsHelp(known));
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
    act: async ({ words: [number = ""], rest }, { db, exchange }) => {
      const changes = await readSettings(known, rest, { db, exchangeId: exchange.id });
      if (!(await updateMenu(db, { exchangeId: exchange.id, number, changes }))) giveUp(`there is no menu ${number}`);
      return said(`menu ${number} is changed`, changes);
    },
  }).addHelpText("after", settingsHelp(known));
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
