// santral number: external numbers, and where their calls go.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import {
  createExternalNumber,
  deleteExternalNumber,
  listExternalNumbers,
  updateExternalNumber,
} from "../store/external-numbers.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import * as read from "./readers.ts";
import { readSettings, settings, settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

const known = settings({
  description: ["text", read.text],
  target: ["where calls go, such as ivr/10", read.target("inbound")],
  "closed-target": ["where they go outside office hours, or empty", read.optional(read.target("inbound"))],
  "fax-target": [
    "fax or fax/<e-mail>: where a caller goes who is a fax machine, or empty",
    read.optional(read.target("inbound")),
  ],
  "office-opens": ["HH:MM, or empty for the exchange's", read.optional(read.timeOfDay)],
  "office-closes": ["HH:MM, or empty for the exchange's", read.optional(read.timeOfDay)],
  "office-days": ["1-5 or 1,2,6, or empty for the exchange's", read.optional(read.weekdays)],
  trunk: ["name of the trunk it comes by, or empty", read.optional(read.trunk), "trunk_id"],
});

export function addNumberCommands(program: Command, clock: Clock): void {
  const number = program.command("number").description("external numbers");
  exchangeCommand(number, clock, {
    usage: "create <number> <target> [settings...]",
    says: "make an external number, as 908505320000, whose calls go to a target such as ivr/10",
    changes: true,
    act: async ({ words: [given = "", target = ""], rest }, { db, exchange }) => {
      const where = { db, exchangeId: exchange.id };
      const number = digitsOf(given);
      const changes = await readSettings(known, [`target=${target}`, ...rest], where);
      const made = orGiveUp(await createExternalNumber(db, { exchangeId: exchange.id, number, target, changes }));
      return said(`number ${number} is made`, made);
    },
  }).addHelpText("after", settingsHelp(known));
  exchangeCommand(number, clock, {
    usage: "list",
    says: "all external numbers",
    act: async (_, { db, exchange }) =>
      table(await listExternalNumbers(db, exchange.id), ["number", "description", "target", "closedTarget", "trunk"]),
  });
  exchangeCommand(number, clock, {
    usage: "set <number> <settings...>",
    says: "change settings of an external number",
    changes: true,
    act: async ({ words: [given = ""], rest }, { db, exchange }) => {
      const number = digitsOf(given);
      const changes = await readSettings(known, rest, { db, exchangeId: exchange.id });
      if (!(await updateExternalNumber(db, { exchangeId: exchange.id, number, changes })))
        giveUp(`${number} is not one of this exchange's numbers`);
      return said(`number ${number} is changed`, changes);
    },
  }).addHelpText("after", settingsHelp(known));
  exchangeCommand(number, clock, {
    usage: "delete <number>",
    says: "delete an external number",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const number = digitsOf(given.words[0] ?? "");
      await sureAbout(`Delete number ${number}?`, given);
      orGiveUp(await deleteExternalNumber(db, exchange.id, number));
      return said(`number ${number} is deleted`, { number, deleted: true });
    },
  });
}

function digitsOf(given: string): string {
  const digits = given.replace(/^\+/, "").replace(/[\s().-]/g, "");
  return /^[0-9]{3,15}$/.test(digits) ? digits : giveUp(`"${given}" is not a number of 3 to 15 digits`, "usage");
}
