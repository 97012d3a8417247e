// santral staff: people who may open the console.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { USUAL_ROLE } from "../nouns/role.ts";
import { staff as staffNoun } from "../nouns/staff.ts";
import { giveUp } from "../server/give-up.ts";
import {
  createStaffAccount,
  deleteStaffAccount,
  listStaffAccounts,
  setStaffPassword,
  updateStaffAccount,
} from "../store/staff.ts";
import { hashPassword } from "../store/staff-password.ts";
import { endSessionsOf } from "../store/staff-sessions.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { passwordFrom } from "./extension.ts";
import * as read from "./readers.ts";
import { isUnreadable } from "./readers.ts";
import { optionsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

const PASSWORD: [string, string] = ["--password <text>", "at least 10 characters; by default a long random one"];

export function addStaffCommands(program: Command, clock: Clock): void {
  const staff = program.command("staff").description("staff accounts");
  exchangeCommand(staff, clock, {
    usage: "create <email> <name>",
    says: "make a staff account; its password is shown only now",
    options: [...optionsHelp(staffNoun), PASSWORD],
    changes: true,
    act: async ({ words: [email = "", name = ""], options }, { db, exchange, options: readGiven }) => {
      const address = read.email(email, { db, exchangeId: exchange.id });
      if (isUnreadable(address)) giveUp(address.unreadable, "usage");
      const given = await readGiven(staffNoun, options);
      const { role = USUAL_ROLE, extension, language, queues, recordings, exports } = given;
      const password = passwordFrom(options.password, [email, name, exchange.name, exchange.sipDomain]);
      const wanted = { role, extension: extension ?? undefined, language, queues, recordings, exports };
      const account = { ...wanted, name, email, password: await hashPassword(password), exchangeId: exchange.id };
      const made = orGiveUp(await createStaffAccount(db, account));
      return said([`${email} is made`, `password (shown only now): ${password}`], { ...made, password });
    },
  });
  exchangeCommand(staff, clock, {
    usage: "set <email> [settings...]",
    says: "change a staff account, such as role=supervisor queues=200,201",
    options: [],
    changes: true,
    act: async ({ words: [email = ""], rest }, { db, exchange, settings }) => {
      const accounts = await listStaffAccounts(db, exchange.id);
      const id = accounts.find((account) => account.email === email.toLowerCase())?.id;
      if (id === undefined) return giveUp(`there is no staff account ${email}`);
      const changes = await settings(staffNoun, rest, id);
      const refused = await updateStaffAccount(db, { exchangeId: exchange.id, id, changes });
      if (refused) orGiveUp(refused);
      if (changes.active === false) await endSessionsOf(db, id);
      return said(`${email} is changed`, { email, ...changes });
    },
  });
  exchangeCommand(staff, clock, {
    usage: "list",
    says: "all staff accounts",
    act: async (_, { db, exchange }) =>
      table(await listStaffAccounts(db, exchange.id), [
        "email",
        "name",
        "role",
        "queues",
        "recordings",
        "exports",
        "extension",
        "active",
      ]),
  });
  addAccessCommands(staff, clock);
}

function addAccessCommands(staff: Command, clock: Clock): void {
  exchangeCommand(staff, clock, {
    usage: "password <email>",
    says: "give a staff account a new password, shown only now; opens a locked one and takes a second factor away",
    options: [PASSWORD],
    changes: true,
    act: async ({ words: [email = ""], options }, { db, exchange }) => {
      const password = passwordFrom(options.password, [email, exchange.name, exchange.sipDomain]);
      const hash = await hashPassword(password);
      if (!(await setStaffPassword(db, { exchangeId: exchange.id, email, password: hash, dropTotp: true })))
        giveUp(`there is no staff account ${email}`);
      return said(`new password of ${email} (shown only now): ${password}`, { email, password });
    },
  });
  exchangeCommand(staff, clock, {
    usage: "delete <email>",
    says: "delete a staff account",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [email = ""] = given.words;
      await sureAbout(`Delete the staff account ${email}?`, given);
      if (!(await deleteStaffAccount(db, exchange.id, email))) giveUp(`there is no staff account ${email}`);
      return said(`${email} is deleted`, { email, deleted: true });
    },
  });
}
