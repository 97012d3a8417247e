// santral number: external numbers, and where their calls go.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { externalNumber } from "../nouns/external-number.ts";
import { giveUp } from "../server/give-up.ts";
import {
  createExternalNumber,
  deleteExternalNumber,
  listExternalNumbers,
  updateExternalNumber,
} from "../store/external-numbers.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

export function addNumberCommands(program: Command, clock: Clock): void {
  const number = program.command("number").description("external numbers");
  exchangeCommand(number, clock, {
    usage: "create <number> <target> [settings...]",
    says: "make an external number, as 908505320000, whose calls go to a target such as ivr/10",
    changes: true,
    act: async ({ words: [given = "", target = ""], rest }, { db, exchange, settings }) => {
      const number = digitsOf(given);
      const changes = await settings(externalNumber, [`target=${target}`, ...rest]);
      const made = orGiveUp(await createExternalNumber(db, { exchangeId: exchange.id, number, target, changes }));
      return said(`number ${number} is made`, made);
    },
  }).addHelpText("after", settingsHelp(externalNumber));
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
    act: async ({ words: [given = ""], rest }, { db, exchange, settings }) => {
      const number = digitsOf(given);
      const changes = await settings(externalNumber, rest, number);
      if (!(await updateExternalNumber(db, { exchangeId: exchange.id, number, changes })))
        giveUp(`${number} is not one of this exchange's numbers`);
      return said(`number ${number} is changed`, changes);
    },
  }).addHelpText("after", settingsHelp(externalNumber));
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
