// santral rule: by which trunk calls leave.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { outboundRule } from "../nouns/outbound-rule.ts";
import { giveUp } from "../server/give-up.ts";
import type { Db } from "../store/db.ts";
import { createOutboundRule, deleteOutboundRule, listOutboundRules, shadowedRules } from "../store/outbound-rules.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { optionsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

const USUAL_PRIORITY = 10;

export function addRuleCommands(program: Command, clock: Clock): void {
  const rule = program
    .command("rule")
    .description("outbound rules: lowest priority first, the first that matches wins");
  exchangeCommand(rule, clock, {
    usage: "create <name>",
    says: "make an outbound rule",
    options: optionsHelp(outboundRule),
    changes: true,
    act: async ({ words: [name = ""], options }, { db, exchange, options: read }) => {
      const { prefix = "", priority = USUAL_PRIORITY, ...more } = await read(outboundRule, options);
      const wanted = { ...more, name, prefix, priority, exchangeId: exchange.id };
      const made = orGiveUp(await createOutboundRule(db, wanted));
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
