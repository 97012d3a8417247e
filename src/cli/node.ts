// santral node: the servers that share one database, which exchange lives on which, and how one gives its own away.

import type { Command } from "commander";
import { type Clock, pause, within } from "../clock.ts";
import type { Config } from "../config.ts";
import { giveUp } from "../server/give-up.ts";
import type { Db } from "../store/db.ts";
import { findExchange } from "../store/exchanges.ts";
import { askNode, type NodeWaits, ownerOf, readNodes } from "../store/nodes.ts";
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
        waitsFor: row.waits ? inNumbers(row.waits) : "",
      }));
      return table(rows, ["name", "state", "exchanges", "until", "version", "url", "sip", "waitsFor"]);
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
      const sentence = `${name} gives its ${exchanges} exchanges to the other nodes, ${how}; see "santral node list"`;
      const waits = options.now ? undefined : await waitsOf(db, clock, name);
      return said([sentence, ...(waits ? inLines(waits) : [])], { name, ...waits });
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

/** A node looks every second, and says then what it waits for. */
const LONGEST_LOOK_MS = 6_000;

async function waitsOf(db: Db, clock: Clock, name: string): Promise<NodeWaits | undefined> {
  for (const end = within(clock, LONGEST_LOOK_MS); clock.ticks() < end; await pause(clock, 250)) {
    const found = (await readNodes(db)).find((it) => it.name === name);
    if (found?.waits || found?.state !== "draining" || found.exchanges === 0) return found?.waits ?? undefined;
  }
  return undefined;
}

const reasons: Record<string, string> = {
  browser: "of web phones, whose voice stays where it is",
  connection: "of phones that hang on a connection to this node",
  rings: "in which somebody is rung, for up to 15 seconds",
  led: "that are in the middle of a fax, a message, a campaign's welcome or the like",
};

const inNumbers = ({ counts }: NodeWaits): string =>
  Object.entries(counts)
    .map(([why, calls]) => `${calls} ${why}`)
    .join(", ");

function inLines({ counts, calls }: NodeWaits): string[] {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0) return [];
  return [
    `it waits for the end of ${all} calls that cannot move; "santral node drain --now" ends them:`,
    ...Object.entries(counts).map(([why, count]) => `  ${count} ${reasons[why] ?? why}`),
    ...calls.map(({ exchange, call, why }) => `  exchange ${exchange}  call ${call}  ${why}`),
    ...(all > calls.length ? [`  and ${all - calls.length} more`] : []),
  ];
}

type Whom = { config: Config; word: string | undefined };

async function asked(db: Db, { config, word }: Whom, wanted: Parameters<typeof askNode>[2]): Promise<string> {
  const name = word ?? config.nodeName;
  return (await askNode(db, name, wanted)) ? name : giveUp(`no node named ${name} is running; see "santral node list"`);
}
