// How every command is declared and run: arguments, `--json`, the database, the audit trail, one clear sentence on failure.

import { userInfo } from "node:os";
import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import { type CommandDatabase, withDatabase } from "../server/command-database.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { giveUp } from "../server/give-up.ts";
import { writeAuditLine } from "../store/audit.ts";
import type { Db } from "../store/db.ts";
import { type Exchange, findExchange, listExchanges } from "../store/exchanges.ts";
import { type Noting, openNotes } from "./noted.ts";
import { print, type Shown } from "./show.ts";

export type Given = {
  /** In the order of the usage line; a variadic one is a list of its own in `rest`. */
  words: string[];
  rest: string[];
  options: Record<string, string | boolean | undefined>;
};

export type Usage = {
  /** As commander reads it: `create <number> [settings...]`. */
  usage: string;
  says: string;
  options?: [flags: string, says: string][];
  /** A change of the exchange: written to the audit trail with the words and the settings that are changed, never secrets. */
  changes?: boolean | ((given: Given) => boolean);
};

export type Tools = { config: Config; clock: Clock };
export type ExchangeTools = Tools & CommandDatabase & Noting & { exchange: Exchange };

/** A command that needs nothing but the settings. */
export function plainCommand(
  parent: Command,
  clock: Clock,
  usage: Usage & { act(given: Given, tools: Tools): Promise<Shown | undefined> },
): Command {
  return declare(parent, usage).action(async (...args: unknown[]) => {
    const given = givenBy(args);
    const shown = await usage.act(given, { config: config(), clock });
    print(shown, given.options.json === true);
    if (shown?.failed) giveUp(""); // all is said
  });
}

/** A command on the whole server's database. */
export function databaseCommand(
  parent: Command,
  clock: Clock,
  usage: Usage & { make?: boolean; act(given: Given, tools: Tools & CommandDatabase): Promise<Shown | undefined> },
): Command {
  const { make = false } = usage;
  return plainCommand(parent, clock, {
    ...usage,
    act: (given, tools) =>
      withDatabase({ ...tools, make }, async (database) => {
        const shown = await usage.act(given, { ...tools, ...database });
        if (isChange(usage, given)) await audit(database.db, undefined, { command: commandOf(parent, usage, given) });
        if (isChange(usage, given)) await serverKnows(tools);
        return shown;
      }),
  });
}

/** A command on one exchange: the only one there is, or that of `--exchange`. */
export function exchangeCommand(
  parent: Command,
  clock: Clock,
  usage: Usage & { act(given: Given, tools: ExchangeTools): Promise<Shown | undefined> },
): Command {
  const options: Usage["options"] = [
    ...(usage.options ?? []),
    ["--exchange <id>", "which exchange, if there are several"],
  ];
  return plainCommand(parent, clock, {
    ...usage,
    options,
    act: (given, tools) =>
      withDatabase({ ...tools, make: false }, async (database) => {
        const exchange = await chooseExchange(database.db, given.options.exchange);
        const { noted, ...noting } = openNotes(database.db, exchange.id);
        const shown = await usage.act(given, { ...tools, ...database, ...noting, exchange });
        if (isChange(usage, given)) {
          const details = { command: commandOf(parent, usage, given), ...(await noted()) };
          await audit(database.db, exchange.id, details);
        }
        if (isChange(usage, given)) await serverKnows(tools);
        return shown;
      }),
  });
}

/** Who reads that something is changed may rely on it: a server that runs here has taken it in by then. */
async function serverKnows({ config }: Tools): Promise<void> {
  await askServer(placesIn(config.dataFolder).control, "heard");
}

function config(): Config {
  const read = readConfig();
  return "problems" in read ? giveUp(`${read.problems.join("; ")}.`, "usage") : read;
}

async function chooseExchange(db: Db, wanted: string | boolean | undefined): Promise<Exchange> {
  if (typeof wanted === "string") {
    const found = /^\d{1,15}$/.test(wanted) ? await findExchange(db, Number(wanted)) : undefined;
    return found ?? giveUp(`there is no exchange ${wanted}`);
  }
  const [only, another] = await listExchanges(db);
  if (!only) return giveUp('there is no exchange yet: make one with "santral exchange create"');
  return another ? giveUp("there are several exchanges: say which with --exchange ID", "usage") : only;
}

function declare(parent: Command, { usage, says, options = [] }: Usage): Command {
  const command = parent.command(usage).description(says).option("--json", "print JSON");
  for (const [flags, says] of options) command.option(flags, says);
  return command;
}

// commander hands over each argument, then the options, then itself; a variadic argument is a list.
function givenBy(args: unknown[]): Given {
  const [options, ...reversed] = args.slice(0, -1).reverse() as [Given["options"], ...unknown[]];
  const values = reversed.reverse();
  return {
    words: values.filter((it): it is string => typeof it === "string"),
    rest: values.flatMap((it) => (Array.isArray(it) ? (it as string[]) : [])),
    options,
  };
}

function isChange({ changes = false }: Usage, given: Given): boolean {
  return typeof changes === "function" ? changes(given) : changes;
}

function commandOf(parent: Command, { usage }: Usage, { words }: Given): string {
  return ["santral", parent.name(), usage.split(" ")[0], ...words].join(" ").slice(0, 200);
}

function audit(db: Db, exchangeId: number | undefined, details: { command: string }): Promise<void> {
  return writeAuditLine(db, {
    doer: "command line",
    who: operator(),
    exchangeId,
    did: "command",
    details,
  });
}

export function operator(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`; // a uid without a passwd entry has no name
  }
}
