// santral queue: make, list, set, members, delete.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { queue as queueNoun } from "../nouns/queue.ts";
import { giveUp } from "../server/give-up.ts";
import {
  createQueue,
  deleteQueue,
  findQueue,
  listQueueMembers,
  listQueues,
  setQueueMembers,
  updateQueue,
} from "../store/queues.ts";
import { nounOf } from "../words/audit/changed.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

export function addQueueCommands(program: Command, clock: Clock): void {
  const queue = program.command("queue").description("queues, where callers wait for an agent");
  exchangeCommand(queue, clock, {
    usage: "create <number> <name> [settings...]",
    says: "make a queue",
    options: [["--members <numbers>", "extensions in order, such as 1000,1001"]],
    changes: true,
    act: async ({ words: [number = "", name = ""], rest, options }, { db, exchange, settings }) => {
      const changes = await settings(queueNoun, rest);
      const members = listOf(options.members);
      const made = orGiveUp(await createQueue(db, { exchangeId: exchange.id, number, name, members, changes }));
      return said(`queue ${number} is made`, { ...made, members });
    },
  }).addHelpText("after", settingsHelp(queueNoun));
  exchangeCommand(queue, clock, {
    usage: "list",
    says: "all queues",
    act: async (_, { db, exchange }) =>
      table(await listQueues(db, exchange.id), ["number", "name", "strategy", "ringSeconds", "maxWaitSeconds"]),
  });
  exchangeCommand(queue, clock, {
    usage: "set <number> <settings...>",
    says: "change settings of a queue",
    changes: true,
    act: async ({ words: [number = ""], rest }, { db, exchange, settings }) => {
      const changes = await settings(queueNoun, rest, number);
      if (!(await updateQueue(db, { exchangeId: exchange.id, number, changes }))) giveUp(`there is no queue ${number}`);
      return said(`queue ${number} is changed`, changes);
    },
  }).addHelpText("after", settingsHelp(queueNoun));
  addMembersAndDelete(queue, clock);
}

function addMembersAndDelete(parent: Command, clock: Clock): void {
  exchangeCommand(parent, clock, {
    usage: "members <number> [extensions]",
    says: "show who answers a queue, or set it: extensions in order, such as 1000,1001; none for nobody",
    changes: ({ words }) => words.length > 1,
    act: async ({ words: [number = "", wanted] }, { db, exchange, note }) => {
      if (wanted !== undefined) await note(nounOf("queues"), { members: listOf(wanted) }, number);
      if (wanted !== undefined)
        orGiveUp(await setQueueMembers(db, { exchangeId: exchange.id, number, members: listOf(wanted) }));
      else if (!(await findQueue(db, exchange.id, number))) giveUp(`there is no queue ${number}`);
      return table(await listQueueMembers(db, exchange.id, number), ["position", "extension", "name"]);
    },
  });
  exchangeCommand(parent, clock, {
    usage: "delete <number>",
    says: "delete a queue",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [number = ""] = given.words;
      await sureAbout(`Delete queue ${number}?`, given);
      orGiveUp(await deleteQueue(db, exchange.id, number));
      return said(`queue ${number} is deleted`, { number, deleted: true });
    },
  });
}

/** `1000,1001`; the word `none` for an empty list, since an empty word is easily typed by mistake. */
export function listOf(given: string | boolean | undefined): string[] {
  if (typeof given !== "string" || given === "none") return [];
  return given.split(",").flatMap((part) => part.trim() || []);
}
