// santral holiday: days on which the exchange or one of its numbers is closed.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import { createHoliday, deleteHoliday, listHolidays } from "../store/holidays.ts";
import { nounOf } from "../words/audit/changed.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import * as read from "./readers.ts";
import { said, table } from "./show.ts";

/** What is left of a holiday that is deleted. */
const NOTHING = { day: null, last_day: null, description: null, number: null, target: null };

export function addHolidayCommands(program: Command, clock: Clock): void {
  const holiday = program.command("holiday").description("holidays");
  exchangeCommand(holiday, clock, {
    usage: "create <date> [description]",
    says: "close the exchange, or one number, for a day such as 2026-10-29",
    options: [
      ["--until <date>", "the last of several days"],
      ["--number <number>", "only this external number"],
      ["--target <target>", "where calls go on that day; by default where they go outside office hours"],
    ],
    changes: true,
    act: async ({ words: [day = "", description], options }, { db, exchange, note }) => {
      const where = { db, exchangeId: exchange.id };
      const value = async (given: string | boolean | undefined, reader: read.Reader): Promise<string | undefined> => {
        if (typeof given !== "string") return undefined;
        const result = await reader(given, where);
        return read.isUnreadable(result) ? giveUp(result.unreadable, "usage") : String(result);
      };
      const wanted = {
        day: (await value(day, read.date)) ?? day,
        lastDay: await value(options.until, read.date),
        description,
        number: await value(options.number, read.ownNumber),
        target: await value(options.target, read.target("inbound")),
      };
      if (wanted.lastDay !== undefined && wanted.lastDay < wanted.day)
        giveUp("the last day is before the first", "usage");
      const { lastDay: last_day, ...others } = wanted;
      await note(nounOf("holidays"), { ...others, last_day });
      const made = await createHoliday(db, { ...wanted, exchangeId: exchange.id });
      return said(`holiday ${made.id} is made`, made);
    },
  });
  exchangeCommand(holiday, clock, {
    usage: "list",
    says: "all holidays",
    act: async (_, { db, exchange }) =>
      table(await listHolidays(db, exchange.id), ["id", "day", "last_day", "description", "number", "target"]),
  });
  exchangeCommand(holiday, clock, {
    usage: "delete <id>",
    says: "delete a holiday",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange, note }) => {
      const [id = ""] = given.words;
      await sureAbout(`Delete holiday ${id}?`, given);
      if (/^\d{1,15}$/.test(id)) await note(nounOf("holidays"), NOTHING, Number(id));
      if (!/^\d{1,15}$/.test(id) || !(await deleteHoliday(db, exchange.id, Number(id))))
        giveUp(`there is no holiday ${id}`);
      return said(`holiday ${id} is deleted`, { id: Number(id), deleted: true });
    },
  });
}
