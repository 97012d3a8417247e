// santral extension: make, list, set, password, delete. A SIP password is shown once, when it is made.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import type { ShownPhone } from "../exchange/signalling/registrar/shown-phone.ts";
import { extension as extensionNoun } from "../nouns/extension.ts";
import { newPassword } from "../passwords/new-password.ts";
import { weaknessOf } from "../passwords/weakness.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { giveUp } from "../server/give-up.ts";
import {
  createExtension,
  deleteExtension,
  listExtensions,
  setExtensionPassword,
  updateExtension,
} from "../store/extensions.ts";
import { keepShownPassword } from "../store/shown-passwords.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { inWords, orGiveUp } from "./words.ts";

const PASSWORD: [string, string] = ["--password <text>", "at least 10 characters; by default a long random one"];

export function addExtensionCommands(program: Command, clock: Clock): void {
  const extension = program.command("extension").description("extensions: the phones of an exchange");
  addCreate(extension, clock);
  exchangeCommand(extension, clock, {
    usage: "list",
    says: "all extensions",
    act: async (_, { db, exchange }) =>
      table(await listExtensions(db, exchange.id), ["number", "name", "active", "dnd", "isAgent", "outboundCallerId"]),
  });
  exchangeCommand(extension, clock, {
    usage: "phones [number]",
    says: "the phones that are registered now, which of them answer, and by which digest they log in",
    act: async ({ words: [number] }, { config, exchange }) => {
      const given = { exchange: String(exchange.id) };
      const phones = (await askServer(placesIn(config.dataFolder).control, "contacts", given)) as
        | ShownPhone[]
        | undefined;
      if (!phones) return giveUp("no server runs on this data folder");
      const wanted = phones.filter((phone) => number === undefined || phone.extension === number);
      return table(wanted, [
        ...(["extension", "userAgent", "transport", "address", "state", "digest", "roundTripMs", "expires"] as const),
      ]);
    },
  });
  exchangeCommand(extension, clock, {
    usage: "set <number> <settings...>",
    says: "change settings of an extension",
    changes: true,
    act: async ({ words: [number = ""], rest }, { db, exchange, settings }) => {
      const changes = await settings(extensionNoun, rest, number);
      if (!(await updateExtension(db, { exchangeId: exchange.id, number, changes })))
        giveUp(`there is no extension ${number}`);
      return said(`extension ${number} is changed`, changes);
    },
  }).addHelpText("after", settingsHelp(extensionNoun));
  addPasswordAndDelete(extension, clock);
}

function addCreate(parent: Command, clock: Clock): void {
  exchangeCommand(parent, clock, {
    usage: "create <number> [settings...]",
    says: "make an extension; its SIP password is shown only now",
    options: [PASSWORD],
    changes: true,
    act: async ({ words: [number = ""], rest, options }, { db, secrets, exchange, settings }) => {
      const password = passwordFrom(options.password, [number, exchange.name, exchange.sipDomain]);
      const changes = await settings(extensionNoun, rest);
      await db.transaction(async (db) => {
        orGiveUp(await createExtension(db, { exchangeId: exchange.id, number, password }));
        await updateExtension(db, { exchangeId: exchange.id, number, changes });
        await keepShownPassword(db, secrets, { exchangeId: exchange.id, number, password });
      });
      const account = { number, password, sipDomain: exchange.sipDomain };
      return said(
        [
          `extension ${number} is made`,
          `SIP user ${number}, domain ${exchange.sipDomain}, password (shown only now): ${password}`,
        ],
        account,
      );
    },
  }).addHelpText("after", settingsHelp(extensionNoun));
}

function addPasswordAndDelete(parent: Command, clock: Clock): void {
  exchangeCommand(parent, clock, {
    usage: "password <number>",
    says: "give an extension a new SIP password, shown only now",
    options: [PASSWORD],
    changes: true,
    act: async ({ words: [number = ""], options }, { db, secrets, exchange }) => {
      const password = passwordFrom(options.password, [number, exchange.name, exchange.sipDomain]);
      const given = { exchangeId: exchange.id, number, password };
      const isThere = await db.transaction(async (db) => {
        const changed = await setExtensionPassword(db, given);
        if (changed) await keepShownPassword(db, secrets, given);
        return changed;
      });
      if (!isThere) giveUp(`there is no extension ${number}`);
      return said(`new SIP password of ${number} (shown only now): ${password}`, { number, password });
    },
  });
  exchangeCommand(parent, clock, {
    usage: "delete <number>",
    says: "delete an extension with its voicemail and memberships",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [number = ""] = given.words;
      await sureAbout(`Delete extension ${number} with its voicemail?`, given);
      orGiveUp(await deleteExtension(db, exchange.id, number));
      return said(`extension ${number} is deleted`, { number, deleted: true });
    },
  });
}

/** Guessing SIP passwords is what the internet does all day. */
const SHORTEST_PASSWORD = 10;

/** `known`: what anybody knows of whoever gets it. */
export function passwordFrom(given: string | boolean | undefined, known: readonly string[]): string {
  if (typeof given !== "string") return newPassword();
  if (given.length < SHORTEST_PASSWORD) giveUp(`a password takes at least ${SHORTEST_PASSWORD} characters`, "usage");
  const why = weaknessOf(given, known);
  return why ? giveUp(inWords({ refused: "common-password", why }), "usage") : given;
}
