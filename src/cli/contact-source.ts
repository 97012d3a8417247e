// santral contacts source: where contacts come from outside.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { readColumns } from "../contacts/headings.ts";
import { contactSource } from "../nouns/contact-source.ts";
import { giveUp } from "../server/give-up.ts";
import {
  confirmRemovals,
  createContactSource,
  deleteContactSource,
  listContactSources,
  listSourceFaults,
  makeSourceDue,
  type SourceChanges,
  updateContactSource,
} from "../store/contact-sources.ts";
import { sourceFailureInWords, sourceFaultInWords } from "../words/contact-sources.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

const noSource = (name: string) => giveUp(`there is no source of contacts ${name}`);

export function addContactCommands(program: Command, clock: Clock): void {
  const contacts = program.command("contacts").description("contacts: people outside the exchange");
  const source = contacts.command("source").description("sources: address books and files that contacts come from");
  addSetting(source, clock);
  addRunning(source, clock);
}

function addSetting(source: Command, clock: Clock): void {
  exchangeCommand(source, clock, {
    usage: "add <name> <kind> <url> [settings...]",
    says: "read contacts from an address book (carddav) or a CSV, JSON or vCard file (file) from now on",
    changes: true,
    act: async ({ words: [name = "", kind = "", url = ""], rest }, { db, secrets, exchange, settings: read }) => {
      const settings = checked(await read(contactSource, [`kind=${kind}`, `url=${url}`, ...rest]));
      const wanted = { ...settings, kind: settings.kind ?? "carddav", url };
      const made = { exchangeId: exchange.id, name, source: wanted, at: new Date(clock.wall()) };
      const { id } = orGiveUp(await createContactSource(db, secrets, made));
      return said(`source ${name} is added; see "santral contacts source list" for how it fares`, { id, name });
    },
  }).addHelpText("after", settingsHelp(contactSource));
  exchangeCommand(source, clock, {
    usage: "set <name> <settings...>",
    says: "change settings of a source; active=no pauses it",
    changes: true,
    act: async ({ words: [name = ""], rest }, { db, secrets, exchange, settings: read }) => {
      const changes = checked(await read(contactSource, rest, name));
      if (changes.kind) giveUp("the kind of a source is said when it is added", "usage");
      const wanted = { exchangeId: exchange.id, name, changes, at: new Date(clock.wall()) };
      if (!(await updateContactSource(db, secrets, wanted))) noSource(name);
      const { password: _password, ...told } = changes;
      return said(`source ${name} is changed`, told);
    },
  }).addHelpText("after", settingsHelp(contactSource));
  exchangeCommand(source, clock, {
    usage: "remove <name>",
    says: "remove a source and its contacts",
    options: [YES, ["--keep", "its contacts stay, as contacts of the exchange's own"]],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [name = ""] = given.words;
      const keeps = given.options.keep === true;
      await sureAbout(`Remove source ${name}${keeps ? "" : " and all its contacts"}?`, given);
      if (!(await deleteContactSource(db, { exchangeId: exchange.id, name, keeps }))) noSource(name);
      return said(`source ${name} is removed`, { name, deleted: true });
    },
  });
}

function addRunning(source: Command, clock: Clock): void {
  exchangeCommand(source, clock, {
    usage: "list",
    says: "all sources, what they brought last, and what is wrong",
    act: async (_, { db, exchange }) => {
      const rows = (await listContactSources(db, exchange.id)).map((row) => ({
        ...row,
        trouble: row.failure && sourceFailureInWords(row.failure, row.failureAbout, "en"),
      }));
      return table(rows, [
        ...(["name", "kind", "url", "active", "contacts", "unreadable", "lastRunAt", "lastSuccessAt"] as const),
        ...(["added", "changed", "removed", "nextRunAt", "heldRemovals", "trouble"] as const),
      ]);
    },
  });
  exchangeCommand(source, clock, {
    usage: "run <name>",
    says: "read a source now; the server does it",
    options: [["--confirm", "also remove the contacts whose removal waits for a word"]],
    changes: true,
    act: async ({ words: [name = ""], options }, { db, exchange }) => {
      const wanted = { exchangeId: exchange.id, name, at: new Date(clock.wall()) };
      if (!(await makeSourceDue(db, wanted))) noSource(name);
      if (options.confirm && !(await confirmRemovals(db, wanted))) giveUp(`no removal waits at source ${name}`);
      return said(`source ${name} is read as soon as the server gets to it`, { name, due: true });
    },
  });
  exchangeCommand(source, clock, {
    usage: "faults <name>",
    says: "entries of a source that cannot be contacts, and why",
    act: async ({ words: [name = ""] }, { db, exchange }) => {
      const faults = await listSourceFaults(db, { exchangeId: exchange.id, name, limit: 1_000 });
      return table(
        faults.map((fault) => ({ ...fault, why: sourceFaultInWords(fault.why, "en") })),
        ["foreignId", "why", "value"],
      );
    },
  });
}

function checked(changes: SourceChanges): SourceChanges {
  if (changes.columns && !readColumns(changes.columns))
    giveUp("columns are written as field:column, such as phone:Mobile No", "usage");
  return changes;
}
