// NAME=VALUE settings of the nouns: how each is read and checked before it reaches a column.

import { giveUp } from "../server/give-up.ts";
import type { Db } from "../store/db.ts";
import { isUnreadable, type Reader } from "./readers.ts";

export type Setting = { column: string; takes: string; read: Reader };

export type Settings = Record<string, Setting>;

/** A setting whose column has its name, with underscores. */
export function settings(readers: Record<string, [takes: string, read: Reader, column?: string]>): Settings {
  return Object.fromEntries(
    Object.entries(readers).map(([name, [takes, read, column = name.replaceAll("-", "_")]]) => [
      name,
      { column, takes, read },
    ]),
  );
}

/** Words such as `ring-seconds=20` as values by column; an unknown name or a bad value ends the command. */
export async function readSettings(
  known: Settings,
  words: readonly string[],
  where: { db: Db; exchangeId: number },
): Promise<Record<string, unknown>> {
  const changes: Record<string, unknown> = {};
  for (const word of words) {
    const equals = word.indexOf("=");
    if (equals < 1) giveUp(`"${word}" should be NAME=VALUE; names are ${Object.keys(known).join(", ")}`, "usage");
    const name = word.slice(0, equals).replaceAll("_", "-");
    const setting = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!setting) return giveUp(`there is no setting "${name}"; there are ${Object.keys(known).join(", ")}`, "usage");
    const value = await setting.read(word.slice(equals + 1), where);
    if (isUnreadable(value)) giveUp(`${name}: ${value.unreadable}`, "usage");
    changes[setting.column] = value;
  }
  return changes;
}

/** For the help text: every name and what it takes. */
export function settingsHelp(known: Settings): string {
  const width = Math.max(...Object.keys(known).map((name) => name.length));
  const lines = Object.entries(known).map(([name, { takes }]) => `  ${name.padEnd(width)}  ${takes}`);
  return `\nSettings, as NAME=VALUE:\n${lines.join("\n")}`;
}
