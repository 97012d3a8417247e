// santral sms account, title, carrier, tariff, special-days: what messages are sent with.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { smsAccount } from "../nouns/sms-account.ts";
import { smsCarrier } from "../nouns/sms-carrier.ts";
import { smsTitle } from "../nouns/sms-title.ts";
import { specialDays } from "../nouns/special-days.ts";
import { giveUp } from "../server/give-up.ts";
import type { Db } from "../store/db.ts";
import {
  addCredits,
  createSmsAccount,
  findSmsAccount,
  listSmsAccounts,
  renewSmsPassword,
  type SmsAccount,
  updateSmsAccount,
} from "../store/sms-accounts.ts";
import { createCarrier, listCarriers, listTariffs, removeCarrier, setTariff } from "../store/sms-carriers.ts";
import { deleteReadyText, listReadyTexts, setReadyText } from "../store/sms-ready-texts.ts";
import { createTitle, listTitles } from "../store/sms-titles.ts";
import { setSpecialDays } from "../store/special-days.ts";
import { nounOf } from "../words/audit/changed.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

export async function accountNamed(db: Db, exchangeId: number, username: string | undefined): Promise<SmsAccount> {
  const found = username ? await findSmsAccount(db, exchangeId, username) : (await listSmsAccounts(db, exchangeId))[0];
  return found ?? giveUp(username ? `there is no SMS account ${username}` : "there is no SMS account yet");
}

export function addAccountCommands(sms: Command, clock: Clock): void {
  const account = sms.command("account").description("SMS accounts: who may send");
  exchangeCommand(account, clock, {
    usage: "create <username> [settings...]",
    says: "make an account; its password is shown only now",
    changes: true,
    act: async ({ words: [username = ""], rest }, { db, exchange, settings }) => {
      const changes = await settings(smsAccount, rest);
      const made = orGiveUp(await createSmsAccount(db, exchange.id, { username }));
      await updateSmsAccount(db, exchange.id, made.id, changes);
      return said(`account ${username} is made; its password (shown only now): ${made.password}`, made);
    },
  }).addHelpText("after", settingsHelp(smsAccount));
  exchangeCommand(account, clock, {
    usage: "list",
    says: "all accounts and their credits",
    act: async (_, { db, exchange }) =>
      table(await listSmsAccounts(db, exchange.id), [
        "username",
        "credits",
        "reserved",
        "international",
        "allowedAddresses",
        "pushUrl",
      ]),
  });
  exchangeCommand(account, clock, {
    usage: "set <username> <settings...>",
    says: "change settings of an account",
    changes: true,
    act: async ({ words: [username = ""], rest }, { db, exchange, settings }) => {
      const { id } = await accountNamed(db, exchange.id, username);
      const changes = await settings(smsAccount, rest, id);
      await updateSmsAccount(db, exchange.id, id, changes);
      return said(`account ${username} is changed`, changes);
    },
  }).addHelpText("after", settingsHelp(smsAccount));
  exchangeCommand(account, clock, {
    usage: "renew <username>",
    says: "give an account a new password; the old one ends at once",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [username = ""] = given.words;
      await sureAbout(`Renew the password of ${username}? Whoever uses the old one is refused from then on.`, given);
      const password =
        (await renewSmsPassword(db, exchange.id, username)) ?? giveUp(`there is no SMS account ${username}`);
      return said(`the new password of ${username} (shown only now): ${password}`, { username, password });
    },
  });
  exchangeCommand(account, clock, {
    usage: "credit <username> <credits>",
    says: "add credits to an account",
    changes: true,
    act: async ({ words: [username = "", amount = ""] }, { db, exchange }) => {
      const { id } = await accountNamed(db, exchange.id, username);
      const credits = /^\d{1,9}$/.test(amount)
        ? Number(amount)
        : giveUp(`"${amount}" is not a number of credits`, "usage");
      await addCredits(db, { exchangeId: exchange.id, accountId: id, credits, at: new Date(clock.wall()) });
      const now = await accountNamed(db, exchange.id, username);
      return said(`account ${username} has ${now.credits} credits`, { username, credits: now.credits });
    },
  });
}

export function addTitleCommands(sms: Command, clock: Clock): void {
  const title = sms.command("title").description("sender titles");
  exchangeCommand(title, clock, {
    usage: "create <name> [settings...]",
    says: "make a title",
    changes: true,
    act: async ({ words: [name = ""], rest }, { db, exchange, settings }) => {
      const changes = await settings(smsTitle, rest);
      return said(`title ${name} is made`, orGiveUp(await createTitle(db, exchange.id, { name, ...changes })));
    },
  }).addHelpText("after", settingsHelp(smsTitle));
  exchangeCommand(title, clock, {
    usage: "list",
    says: "approved titles, the default first",
    act: async (_, { db, exchange }) =>
      table(await listTitles(db, exchange.id), ["name", "iysBrandCode", "optOutNumber", "messagesPerSecond"]),
  });
}

export function addReadyTextCommands(sms: Command, clock: Clock): void {
  const text = sms.command("text").description("texts kept ready for sending; {names} in them are filled in");
  exchangeCommand(text, clock, {
    usage: "set <name> <text>",
    says: "keep a text under a name, in place of a former one",
    changes: true,
    act: async ({ words: [name = "", text = ""] }, { db, exchange }) =>
      said(`text ${name} is kept`, { id: await setReadyText(db, exchange.id, { name, text }), name, text }),
  });
  exchangeCommand(text, clock, {
    usage: "list",
    says: "all ready texts",
    act: async (_, { db, exchange }) => table(await listReadyTexts(db, exchange.id), ["name", "text"]),
  });
  exchangeCommand(text, clock, {
    usage: "delete <name>",
    says: "delete a ready text",
    changes: true,
    act: async ({ words: [name = ""] }, { db, exchange }) => {
      if (!(await deleteReadyText(db, exchange.id, name))) giveUp(`there is no text ${name}`);
      return said(`text ${name} is deleted`, { name, deleted: true });
    },
  });
}

export function addCarrierCommands(sms: Command, clock: Clock): void {
  const carrier = sms.command("carrier").description("carriers: who takes messages away");
  exchangeCommand(carrier, clock, {
    usage: "create <name> <host> <port> <system-id> [settings...]",
    says: "make an SMPP carrier; the sandbox then takes nothing any more",
    changes: true,
    act: async (
      { words: [name = "", host = "", port = "", systemId = ""], rest },
      { db, secrets, exchange, settings: read },
    ) => {
      const settings = [`host=${host}`, `port=${port}`, `system-id=${systemId}`, ...rest];
      const changes = await read(smsCarrier, settings);
      const made = orGiveUp(await createCarrier(db, secrets, exchange.id, { name, kind: "smpp", ...changes }));
      return said(`carrier ${name} is made`, made);
    },
  }).addHelpText("after", settingsHelp(smsCarrier));
  exchangeCommand(carrier, clock, {
    usage: "list",
    says: "all carriers",
    act: async (_, { db, exchange }) =>
      table(await listCarriers(db, exchange.id), [
        "name",
        "kind",
        "host",
        "port",
        "window",
        "messagesPerSecond",
        "prefixes",
        "priority",
      ]),
  });
  exchangeCommand(carrier, clock, {
    usage: "delete <name>",
    says: "take a carrier out of service",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [name = ""] = given.words;
      await sureAbout(`Take carrier ${name} out of service?`, given);
      if (!(await removeCarrier(db, exchange.id, name))) giveUp(`there is no carrier ${name}`);
      return said(`carrier ${name} is out of service`, { name, deleted: true });
    },
  });
}

export function addPlanCommands(sms: Command, clock: Clock): void {
  exchangeCommand(sms, clock, {
    usage: "tariff [prefix] [multiplier]",
    says: "what a message abroad costs, as a multiple of one inland",
    changes: ({ words: [prefix] }) => prefix !== undefined,
    act: async ({ words: [prefix, multiplier = ""] }, { db, exchange }) => {
      if (prefix === undefined) return table(await listTariffs(db, exchange.id), ["prefix", "multiplier"]);
      if (!/^[1-9]\d{0,6}$/.test(prefix) || !/^[1-9]\d{0,3}$/.test(multiplier))
        giveUp("a tariff is a country code and a whole number, such as 49 4", "usage");
      await setTariff(db, exchange.id, prefix, Number(multiplier));
      return said(`a message to ${prefix} costs ${multiplier} times one inland`, {
        prefix,
        multiplier: Number(multiplier),
      });
    },
  });
  exchangeCommand(sms, clock, {
    usage: "special-days <title> [settings...]",
    says: "contacts' birthday, wedding and monthly messages (the exchange's setting special-day-messages turns them on)",
    changes: true,
    act: async ({ words: [name = ""], rest }, { db, exchange, settings, note }) => {
      const changes = await settings(specialDays, rest);
      const title =
        (await listTitles(db, exchange.id)).find((title) => title.name === name) ?? giveUp(`there is no title ${name}`);
      const { id: accountId } = await accountNamed(db, exchange.id, undefined);
      // They are commercial only where it is said again.
      const told = { title: name, recipientType: null, ...changes };
      await note(nounOf(specialDays.table), told, null);
      await setSpecialDays(db, { ...changes, accountId, titleId: title.id, exchangeId: exchange.id });
      return said(`automatic messages go out from ${name}`, { title: name, ...changes });
    },
  }).addHelpText("after", settingsHelp(specialDays));
}
