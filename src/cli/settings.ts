// NAME=VALUE settings of the nouns, as their descriptions have them: read and checked before they reach the store.

import { type Changes, type Field, type Kind, type Noun, optionOf, takes } from "../nouns/field.ts";
import { giveUp } from "../server/give-up.ts";
import * as read from "./readers.ts";

type Where = Parameters<read.Reader>[1];
type Settable = { name: string; field: Field };

/** By their names on the command line. */
function settingsOf({ fields }: Noun): Record<string, Settable> {
  const settable = Object.entries(fields).filter(([, { only }]) => only !== "console");
  return Object.fromEntries(settable.map(([name, field]) => [optionOf(name, field), { name, field }]));
}

/** Words such as `ring-seconds=20` as changes; an unknown name or a bad value ends the command. */
export async function readSettings<N extends Noun>(
  noun: N,
  words: readonly string[],
  where: Where,
): Promise<Changes<N>> {
  const known = settingsOf(noun);
  const names = Object.keys(known).join(", ");
  const changes: Record<string, unknown> = {};
  for (const word of words) {
    const equals = word.indexOf("=");
    if (equals < 1) giveUp(`"${word}" should be NAME=VALUE; names are ${names}`, "usage");
    const option = word.slice(0, equals).replaceAll("_", "-");
    const setting = Object.hasOwn(known, option) ? known[option] : undefined;
    if (!setting) return giveUp(`there is no setting "${option}"; there are ${names}`, "usage");
    changes[setting.name] = await readValue(setting.field, word.slice(equals + 1), { where, calledBy: option });
  }
  return changes as Changes<N>; // each was read as its own field
}

/** Options such as `--ring-seconds 20` of a noun. Whether a trunk or an extension is there, the store says itself. */
export async function readOptions<N extends Noun>(
  noun: N,
  given: Record<string, string | boolean | undefined>,
  where: Where,
): Promise<Changes<N>> {
  const changes: Record<string, unknown> = {};
  for (const [option, { name, field }] of Object.entries(settingsOf(noun))) {
    const text = given[option.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof text !== "string") continue;
    const named = field.is === "trunk" || field.is === "extension" || field.is === "form";
    changes[name] = named ? text : await readValue(field, text, { where, calledBy: `--${option}` });
  }
  return changes as Changes<N>; // each was read as its own field
}

async function readValue(
  field: Field,
  text: string,
  { where, calledBy }: { where: Where; calledBy: string },
): Promise<unknown> {
  // The reader is chosen by the very kind that its parameter narrows on.
  const reader = (readers[field.is] as (field: Field) => read.Reader)(field);
  const value = await (field.orNothing ? read.optional(reader) : reader)(text, where);
  return read.isUnreadable(value) ? giveUp(`${calledBy}: ${value.unreadable}`, "usage") : value;
}

const readers: { [Is in Kind["is"]]: (field: Extract<Kind, { is: Is }> & Field) => read.Reader } = {
  text: ({ longest, required }) => (required ? read.required(longest) : read.text(longest)),
  area: ({ longest }) => read.text(longest),
  secret: ({ digits, longest }) => (digits ? read.digits(...digits) : read.text(longest)),
  digits: ({ most }) => read.digits(0, most),
  email: () => read.email,
  host: ({ port }) => (port ? read.hostAndPort : read.host),
  url: () => read.url,
  link: () => read.link,
  "time-zone": () => read.timeZone,
  money: () => read.money,
  whole: ({ least, most, orZero }) => read.whole(least, most, orZero),
  switch: () => read.yesOrNo,
  choice: ({ among }) => read.oneOf(Object.keys(among)),
  several: ({ among }) => read.several(among),
  target: ({ place }) => read.target(place),
  keys: ({ place }) => read.keys(place),
  sound: () => read.announcement,
  "own-number": () => read.ownNumber,
  "outside-number": () => read.outsideNumber,
  trunk: () => read.trunk,
  extension: () => read.extension,
  form: () => read.form,
  time: () => read.timeOfDay,
  day: () => read.date,
  days: () => read.weekdays,
  week: () => read.weekOfHours,
  addresses: () => read.addresses,
  origins: () => read.origins,
  words: () => read.words,
  "short-numbers": () => read.shortNumbers,
  queues: () => read.words,
  emails: () => read.emails,
};

/** For the help text: every name and what it takes. */
export function settingsHelp(noun: Noun): string {
  const known = Object.entries(settingsOf(noun));
  const width = Math.max(...known.map(([name]) => name.length));
  const lines = known.map(([name, { field }]) => `  ${name.padEnd(width)}  ${helpOf(field)}`);
  return `\nSettings, as NAME=VALUE:\n${lines.join("\n")}`;
}

/** The same for commander, where they are options; a name is a word of the command itself. */
export function optionsHelp(noun: Noun): [flags: string, says: string][] {
  return Object.entries(settingsOf(noun))
    .filter(([name, { field }]) => name !== "name" && field.is !== "switch")
    .map(([name, { field }]) => [`--${name} <${field.is}>`, helpOf(field)]);
}

function helpOf(field: Field): string {
  const what = [field.label.en, ...(field.about ? [field.about.en] : [])].join("; ");
  return `${takes(field)}: ${what}`;
}
