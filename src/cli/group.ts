// santral group: ring groups of extensions and outside numbers.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { ringGroup } from "../nouns/ring-group.ts";
import { giveUp } from "../server/give-up.ts";
import {
  createRingGroup,
  deleteRingGroup,
  findRingGroup,
  listRingGroupMembers,
  listRingGroups,
  type RingGroupMember,
  setRingGroupMembers,
  updateRingGroup,
} from "../store/ring-groups.ts";
import { nounOf } from "../words/audit/changed.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { listOf } from "./queue.ts";
import { settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

/** Longer than any extension may be, so it can only be an outside number. */
const SHORTEST_OUTSIDE_NUMBER = 9;

export function addGroupCommands(program: Command, clock: Clock): void {
  const group = program.command("group").description("ring groups: several phones for one number");
  exchangeCommand(group, clock, {
    usage: "create <number> <name> [settings...]",
    says: "make a ring group",
    options: [["--members <numbers>", "extensions and outside numbers in order, such as 1000,905321234567"]],
    changes: true,
    act: async ({ words: [number = "", name = ""], rest, options }, { db, exchange, settings }) => {
      const changes = await settings(ringGroup, rest);
      const members = membersOf(options.members);
      const made = orGiveUp(await createRingGroup(db, { exchangeId: exchange.id, number, name, members, changes }));
      return said(`group ${number} is made`, { ...made, members });
    },
  }).addHelpText("after", settingsHelp(ringGroup));
  exchangeCommand(group, clock, {
    usage: "list",
    says: "all ring groups",
    act: async (_, { db, exchange }) =>
      table(await listRingGroups(db, exchange.id), ["number", "name", "strategy", "ringSeconds", "noAnswerTarget"]),
  });
  exchangeCommand(group, clock, {
    usage: "set <number> <settings...>",
    says: "change settings of a ring group",
    changes: true,
    act: async ({ words: [number = ""], rest }, { db, exchange, settings }) => {
      const changes = await settings(ringGroup, rest, number);
      if (!(await updateRingGroup(db, { exchangeId: exchange.id, number, changes })))
        giveUp(`there is no group ${number}`);
      return said(`group ${number} is changed`, changes);
    },
  }).addHelpText("after", settingsHelp(ringGroup));
  addMembersAndDelete(group, clock);
}

function addMembersAndDelete(parent: Command, clock: Clock): void {
  exchangeCommand(parent, clock, {
    usage: "members <number> [members]",
    says: "show who rings, or set it: numbers in order, such as 1000,905321234567; none for nobody",
    changes: ({ words }) => words.length > 1,
    act: async ({ words: [number = "", wanted] }, { db, exchange, note }) => {
      if (wanted !== undefined) await note(nounOf("ring_groups"), { members: listOf(wanted) }, number);
      if (wanted !== undefined)
        orGiveUp(await setRingGroupMembers(db, { exchangeId: exchange.id, number, members: membersOf(wanted) }));
      else if (!(await findRingGroup(db, exchange.id, number))) giveUp(`there is no group ${number}`);
      const members = await listRingGroupMembers(db, exchange.id, number);
      return table(
        members.map((it) => ({ member: "extension" in it ? it.extension : it.external })),
        ["member"],
      );
    },
  });
  exchangeCommand(parent, clock, {
    usage: "delete <number>",
    says: "delete a ring group",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [number = ""] = given.words;
      await sureAbout(`Delete group ${number}?`, given);
      orGiveUp(await deleteRingGroup(db, exchange.id, number));
      return said(`group ${number} is deleted`, { number, deleted: true });
    },
  });
}

function membersOf(given: string | boolean | undefined): RingGroupMember[] {
  return listOf(given).map((member) => {
    const digits = member.replace(/^\+/, "");
    if (!/^[0-9]{2,15}$/.test(digits))
      return giveUp(`"${member}" is neither an extension nor an outside number`, "usage");
    return digits.length < SHORTEST_OUTSIDE_NUMBER ? { extension: digits } : { external: digits };
  });
}
