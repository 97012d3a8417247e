// santral start, and what is asked about a server as a whole: migrate, config, status, version.

import type { Command } from "commander";
import { bracketed } from "../addresses.ts";
import type { Clock } from "../clock.ts";
import { settings } from "../config.ts";
import { silentLog } from "../log.ts";
import { programVersion } from "../places.ts";
import type { ShownLoad } from "../server/call-answers.ts";
import { withDatabase } from "../server/command-database.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { bringUpToDate, databaseUrls } from "../server/database-server.ts";
import { sealEverything } from "../server/open-secrets.ts";
import { readRun } from "../server/run-file.ts";
import { openDatabase } from "../store/db.ts";
import { plainCommand, type Tools } from "./command.ts";
import { card, type Shown, said, table } from "./show.ts";

/** A machine that does much else at the same time is slow, not dead. */
const PATIENCE_MS = 20_000;

export function addServerCommands(program: Command, clock: Clock): void {
  plainCommand(program, clock, {
    usage: "start",
    says: "start the exchange and run until told to stop",
    options: [["--supervised", "as the child of a supervisor: said by santral start itself"]],
    act: async ({ options }, { config, clock }) => {
      const { start } = await import("./start.ts"); // the whole server: no other command waits for it to load
      await start(config, clock, options.supervised === true);
      return undefined;
    },
  });
  plainCommand(program, clock, {
    usage: "migrate",
    says: "bring the database's schema up to date",
    act: (_, tools) => migrateNow(tools),
  });
  plainCommand(program, clock, {
    usage: "config",
    says: "every setting: its variable, its value, what it means",
    act: async (_, { config }) => {
      const rows = Object.entries(settings).map(([name, { variable, byDefault, means }]) => ({
        variable,
        value: printed(config[name as keyof typeof config]),
        byDefault,
        means,
      }));
      return table(rows, ["variable", "value", "byDefault", "means"]);
    },
  });
  plainCommand(program, clock, {
    usage: "status",
    says: "whether a server runs on this data folder, and what it has opened",
    act: async (_, tools) => statusOf(tools),
  });
  plainCommand(program, clock, {
    usage: "version",
    says: "the version of this program",
    act: async () => said(programVersion(), { version: programVersion(), node: process.version }),
  });
}

async function migrateNow({ config, clock }: Tools): Promise<Shown> {
  const urls = databaseUrls(config, placesIn(config.dataFolder));
  if (config.databaseUrl) {
    const applied = await bringUpToDate(urls, clock, silentLog, config.cluster);
    const db = openDatabase(urls.server, clock, { connections: 2, life: "command" });
    await sealEverything({ config, db, urls, clock, log: silentLog }).finally(() => db.close());
    return told(applied);
  }
  // Whatever runs on the embedded database has brought it up to date when it started.
  return withDatabase({ config, clock, make: true }, async () => told([]));
}

function told(applied: string[]): Shown {
  return said(applied.length > 0 ? `applied ${applied.join(", ")}` : "the schema is up to date", { applied });
}

async function statusOf({ config }: Tools): Promise<Shown> {
  const places = placesIn(config.dataFolder);
  const run = await readRun(places.run);
  if (!run) return { ...said(`no server runs on ${config.dataFolder}`, { running: false }), failed: true };
  const answer = await fetch(`http://${run.http}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    .then((response) => response.text())
    .catch((error: Error) => `does not answer: ${error.message}`);
  const load = (await askServer(places.control, "load")) as ShownLoad | undefined; // our own server's word
  const { began: _, ...shown } = run;
  return card({ running: true, ...shown, state: answer, ...load });
}

function printed(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "object" || value === null) return masked(String(value));
  if (Array.isArray(value)) return value.map(printed).join(",");
  if ("host" in value && "port" in value) return `${bracketed(String(value.host))}:${value.port}`;
  if ("said" in value) return String(value.said);
  return "from" in value && "to" in value ? `${value.from}-${value.to}` : JSON.stringify(value);
}

// A database URL holds its password.
function masked(text: string): string {
  return text.replace(/(:\/\/[^:/@\s]+:)[^@/\s]+@/, "$1***@");
}
