// santral node: the servers that share one database, which exchange lives on which, and how one gives its own away.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { giveUp } from "../server/give-up.ts";
import type { Db } from "../store/db.ts";
import { findExchange } from "../store/exchanges.ts";
import { askNode, ownerOf, readNodes } from "../store/nodes.ts";
import { databaseCommand } from "./command.ts";
import { card, said, table } from "./show.ts";

export function addNodeCommands(program: Command, clock: Clock): void {
  const node = program.command("node").description("several servers on one database");
  databaseCommand(node, clock, {
    usage: "list",
    says: "every node: what it does, how many exchanges live on it, until when its life holds, its version",
    act: async (_, { db }) => {
      const rows = (await readNodes(db)).map(({ isAlive, state, ...row }) => ({
        ...row,
        state: isAlive ? state : "dead",
      }));
      return table(rows, ["name", "state", "exchanges", "until", "version", "url", "sip"]);
    },
  });
  databaseCommand(node, clock, {
    usage: "of <exchange>",
    says: "the node that an exchange lives on",
    act: async ({ words: [word = ""] }, { db }) => {
      const exchange = /^\d+$/.test(word) ? await findExchange(db, Number(word)) : undefined;
      if (!exchange) return giveUp(`there is no exchange ${word}`);
      const owner = await ownerOf(db, exchange.id);
      if (!owner) return giveUp(`exchange ${word} lives on no node`);
      const found = (await readNodes(db)).find(({ name }) => name === owner.node);
      return card({ ...owner, isAlive: found?.isAlive === true, url: found?.url, sip: found?.sip });
    },
  });
  databaseCommand(node, clock, {
    usage: "drain [node]",
    says: "give the exchanges of this node, or of another, to the others, one by one with the calls that are up",
    options: [["--now", "end the calls that cannot move instead of waiting for them"]],
    changes: true,
    act: async ({ words: [word], options }, { db, config }) => {
      const name = await asked(db, { config, word }, { state: "draining", hasty: options.now === true });
      const { exchanges = 0 } = (await readNodes(db)).find((it) => it.name === name) ?? {};
      const how = options.now ? "calls that cannot move end now" : "each once all its calls can move";
      return said(`${name} gives its ${exchanges} exchanges to the other nodes, ${how}; see "santral node list"`, {
        name,
      });
    },
  });
  databaseCommand(node, clock, {
    usage: "resume [node]",
    says: "let this node, or another, keep and take exchanges again",
    changes: true,
    act: async ({ words: [word] }, { db, config }) => {
      const name = await asked(db, { config, word }, { state: "up", hasty: false });
      return said(`${name} takes exchanges again`, { name });
    },
  });
}

type Whom = { config: Config; word: string | undefined };

async function asked(db: Db, { config, word }: Whom, wanted: Parameters<typeof askNode>[2]): Promise<string> {
  const name = word ?? config.nodeName;
  return (await askNode(db, name, wanted)) ? name : giveUp(`no node named ${name} is running; see "santral node list"`);
}
