// Tables for the documentation, made from the records themselves: what may be set of each noun, and which events there are.

import { allNouns } from "../../nouns/all.ts";
import { type Field, type Noun, optionOf, takes, valueUnlessSet } from "../../nouns/field.ts";
import { callEvents } from "../../webhooks/events.ts";

const HEAD = `# Settings

What may be set of each thing, as the command line and the console take it. Made by \`npm run docs\` from \`src/nouns/\`.
`;

/** The whole of docs/settings.md. */
export function settingsReference(nouns: readonly Noun[] = allNouns): string {
  return [HEAD, ...nouns.map(section)].join("\n");
}

function section({ title, command, fields }: Noun): string {
  const lines = Object.entries(fields).map(([name, field]) =>
    row([`\`${optionOf(name, field)}\``, takes(field), unlessSet(field), meaning(field)]),
  );
  const how = command ? `\`${command}\`\n\n` : "";
  return `## ${title}\n\n${how}${row(["setting", "takes", "unless set", "what it is"])}\n|---|---|---|---|\n${lines.join("\n")}\n`;
}

function meaning({ label, about, only }: Field): string {
  const where = only && { command: "by the command alone", console: "in the console alone" }[only];
  return [label.en, about?.en, where].filter((part) => part !== undefined).join("; ");
}

function unlessSet(field: Field): string {
  const value = field.default === undefined && !field.orNothing ? "" : valueUnlessSet(field);
  if (value === null || value === "") return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? Object.values(value).join(",") : String(value);
}

/** The events of docs/webhooks.md. */
export function eventTable(): string {
  const rows = Object.entries(callEvents).map(([is, event]) => row([`\`${is}\``, event.when, `\`${event.switch}\``]));
  return [row(["`event_type`", "when", "switch"]), "|---|---|---|", ...rows].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
