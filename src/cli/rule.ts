// santral rule: by which trunk calls leave.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import type { Db } from "../store/db.ts";
import { createOutboundRule, deleteOutboundRule, listOutboundRules, shadowedRules } from "../store/outbound-rules.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import * as read from "./readers.ts";
import { isUnreadable } from "./readers.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

export function addRuleCommands(program: Command, clock: Clock): void {
  const rule = program
    .command("rule")
    .description("outbound rules: lowest priority first, the first that matches wins");
  exchangeCommand(rule, clock, {
    usage: "create <name>",
    says: "make an outbound rule",
    options: [
      ["--prefix <digits>", "numbers that begin so; by default all"],
      ["--priority <n>", "lowest first; by default 10"],
      ["--trunk <name>", "the trunk to leave by"],
      ["--caller-id <number>", "the external number that is shown"],
    ],
    changes: true,
    act: async ({ words: [name = ""], options }, { db, exchange }) => {
      const where = { db, exchangeId: exchange.id };
      const priority = read.whole(0, 100_000)(String(options.priority ?? "10"), where);
      if (typeof priority !== "number")
        return giveUp(`--priority takes a whole number, not ${options.priority}`, "usage");
      const prefix = String(options.prefix ?? "");
      if (!/^[0-9]{0,15}$/.test(prefix)) giveUp(`--prefix takes digits, not "${prefix}"`, "usage");
      const callerId =
        options.callerId === undefined ? undefined : await read.ownNumber(String(options.callerId), where);
      if (isUnreadable(callerId)) giveUp(callerId.unreadable);
      const wanted = { exchangeId: exchange.id, name, priority, prefix, callerId: callerId as string | undefined };
      const made = orGiveUp(
        await createOutboundRule(db, {
          ...wanted,
          trunk: options.trunk === undefined ? undefined : String(options.trunk),
        }),
      );
      return said([`rule ${name} is made`, ...(await warningsAbout(db, exchange.id, name))], made);
    },
  });
  exchangeCommand(rule, clock, {
    usage: "list",
    says: "all outbound rules, and which of them never get a call",
    act: async (_, { db, exchange }) => {
      const rules = await listOutboundRules(db, exchange.id);
      const shown = table(rules, ["priority", "name", "prefix", "trunk", "callerId"]);
      return { ...shown, lines: [...shown.lines, ...shadowedRules(rules).map(warningOf)] };
    },
  });
  exchangeCommand(rule, clock, {
    usage: "delete <name>",
    says: "delete an outbound rule",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [name = ""] = given.words;
      await sureAbout(`Delete rule ${name}?`, given);
      if (!(await deleteOutboundRule(db, exchange.id, name))) giveUp(`there is no rule ${name}`);
      return said(`rule ${name} is deleted`, { name, deleted: true });
    },
  });
}

/** Of the rule that was just made, and of those that it now stands before. */
async function warningsAbout(db: Db, exchangeId: number, name: string): Promise<string[]> {
  const shadowed = shadowedRules(await listOutboundRules(db, exchangeId));
  return shadowed.filter(({ rule, by }) => rule === name || by === name).map(warningOf);
}

function warningOf({ rule, by }: { rule: string; by: string }): string {
  return `${rule} never gets a call: ${by} matches first`;
}
