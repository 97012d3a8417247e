// santral form: the forms that agents fill in about calls, and what was filled in.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import type { FormField } from "../forms/definition.ts";
import { formTable } from "../http/console/form-table.ts";
import { csvLines } from "../reports/table-file.ts";
import { giveUp } from "../server/give-up.ts";
import type { Db } from "../store/db.ts";
import { beginningOf, type FormFilter, walkForms } from "../store/form-report.ts";
import { type Form, formCalled, formVersions, listForms, usersOfForm } from "../store/forms.ts";
import { type ExchangeTools, exchangeCommand, type Given } from "./command.ts";
import * as read from "./readers.ts";
import { type Shown, said, table } from "./show.ts";

const USUAL_DAYS = 31;
const DAY_MS = 86_400_000;
const AT_ONCE = 1_000;

export function addFormCommands(program: Command, clock: Clock): void {
  const form = program.command("form").description("forms that agents fill in about calls");
  exchangeCommand(form, clock, {
    usage: "list",
    says: "all forms",
    act: async (_, { db, exchange }) => {
      const forms = await listForms(db, exchange.id);
      const rows = forms.map(({ fields, ...row }) => ({ ...row, fields: fields.length }));
      return table(rows, ["name", "active", "version", "fields", "filled", "owed"]);
    },
  });
  exchangeCommand(form, clock, {
    usage: "show <name>",
    says: "what a form asks, in every version, and where it is chosen",
    act: async ({ words: [name = ""] }, tools) => show(tools, await formNamed(name, tools)),
  });
  exchangeCommand(form, clock, {
    usage: "export <name>",
    says: `what was filled in: CSV, or JSON with --json; by default of the last ${USUAL_DAYS} days`,
    options: [
      ["--from <date>", "the first day, such as 2026-10-01"],
      ["--to <date>", "the last day"],
    ],
    act: async (given, tools) => exportForm(given, tools, await formNamed(given.words[0] ?? "", tools)),
  });
}

async function formNamed(name: string, { db, exchange }: ExchangeTools): Promise<Form> {
  return (await formCalled(db, exchange.id, name)) ?? giveUp(`there is no form ${name}`);
}

async function show({ db, exchange }: ExchangeTools, form: Form): Promise<Shown> {
  const [versions, users] = await Promise.all([
    formVersions(db, exchange.id, form.id),
    usersOfForm(db, exchange.id, form.id),
  ]);
  const places = users.filter(({ noun }) => noun !== "call");
  const chosen = places.map(({ noun, which }) => `${noun} ${which}`.trim());
  const lines = [
    `${form.name}: ${form.active ? "active" : "passive"}, ${form.filled} filled in, ${form.owed} owed`,
    `chosen at ${chosen.join(", ") || "nothing"}`,
    ...versions.flatMap(({ version, fields }) => [`version ${version}`, ...fields.map(inALine)]),
  ];
  return said(lines, { ...form, versions, chosen: places });
}

function inALine({ id, is, label, required, choices }: FormField): string {
  const among = choices.length > 0 ? `: ${choices.join(" | ")}` : "";
  return `  ${id.padEnd(4)} ${is.padEnd(10)} ${label}${required ? " (required)" : ""}${among}`;
}

async function exportForm({ options }: Given, { db, clock, exchange }: ExchangeTools, form: Form): Promise<Shown> {
  const { id: exchangeId, timeZone } = exchange;
  const day = async (given: string | boolean | undefined, otherwise: Date) => {
    if (typeof given !== "string") return otherwise;
    const checked = await read.date(given, { db, exchangeId });
    return read.isUnreadable(checked)
      ? giveUp(checked.unreadable, "usage")
      : beginningOf(db, String(checked), timeZone);
  };
  const from = await day(options.from, new Date(clock.wall() - USUAL_DAYS * DAY_MS));
  const last = await day(options.to, new Date(clock.wall()));
  const filter: FormFilter = { from, before: new Date(last.getTime() + DAY_MS), filled: true, form: form.id };
  if (options.json === true) return { lines: [], value: await allOf(db, exchangeId, filter) };
  const lines: string[] = [];
  for await (const rows of formTable(db, { exchangeId, timeZone, language: "en" }, filter))
    lines.push(...csvLines(rows));
  return { lines, value: lines };
}

async function allOf(db: Db, exchangeId: number, filter: FormFilter): Promise<object[]> {
  const all: object[] = [];
  for await (const rows of walkForms(db, exchangeId, filter, { atOnce: AT_ONCE }))
    all.push(...rows.map(({ fields: _fields, ...row }) => row));
  return all;
}
