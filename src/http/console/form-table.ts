// What was filled in, as a table for a spreadsheet: a column for each field that any version of the form has asked.

import { answerShown } from "../../forms/answers.ts";
import type { FormField } from "../../forms/definition.ts";
import type { Language } from "../../languages.ts";
import type { Cell } from "../../reports/cell.ts";
import type { Db } from "../../store/db.ts";
import { type FormFilter, type ReportedForm, walkForms } from "../../store/form-report.ts";
import { formVersions } from "../../store/forms.ts";
import { yesNo } from "../../words/form-words.ts";
import { AT_ONCE, stamp } from "./tables.ts";

type Reader = { exchangeId: number; timeZone: string; language: Language };
type Column = [name: string, show: (row: ReportedForm) => Cell];

/** The names of the columns first, then rows in portions as they are read. */
export async function* formTable(db: Db, reader: Reader, filter: FormFilter): AsyncGenerator<Cell[][]> {
  const { exchangeId } = reader;
  const versions = filter.form === undefined ? [] : await formVersions(db, exchangeId, filter.form);
  const asked = versions.flatMap(({ fields }) => fields);
  const columns = [
    ...aboutCall(reader),
    ...(filter.form === undefined ? [allAnswers(reader)] : eachField(asked, reader)),
  ];
  yield [columns.map(([name]) => name)];
  for await (const rows of walkForms(db, exchangeId, filter, { atOnce: AT_ONCE }))
    yield rows.map((row) => columns.map(([, show]) => show(row)));
}

function aboutCall({ timeZone }: Reader): Column[] {
  const when = (at: Date | null) => (at === null ? "" : stamp(at, timeZone));
  return [
    ["time", ({ at }) => when(at)],
    ["form", ({ form }) => form],
    ["version", ({ version }) => version],
    ["agent", ({ extension }) => extension],
    ["agent_name", ({ agent }) => agent],
    ["direction", ({ direction }) => direction],
    ["queue", ({ queue }) => queue ?? ""],
    ["number", ({ number }) => number],
    ["name", ({ name }) => name],
    ["filled_at", ({ filledAt }) => when(filledAt)],
    ["filled_by", ({ filledBy }) => filledBy ?? ""],
    ["changed_at", ({ changedAt }) => when(changedAt)],
    ["changed_by", ({ changedBy }) => changedBy ?? ""],
    ["call_uuid", ({ callUuid }) => callUuid],
  ];
}

/** By its newest label, the newest version's order first. */
function eachField(asked: readonly FormField[], { language }: Reader): Column[] {
  const newest = new Map(asked.toReversed().map((field) => [field.id, field.label]));
  const ids = [...new Set(asked.map(({ id }) => id))];
  return ids.map((id) => [
    newest.get(id) ?? id,
    ({ answers }) => {
      const answer = answers?.[id];
      return typeof answer === "number" ? answer : answerShown(answer, yesNo[language]);
    },
  ]);
}

/** Of several forms: each with the label it was asked under. */
function allAnswers({ language }: Reader): Column {
  const said = ({ fields, answers }: ReportedForm) =>
    fields.flatMap(({ id, label }) => {
      const shown = answerShown(answers?.[id], yesNo[language]);
      return shown === "" ? [] : [`${label}: ${shown}`];
    });
  return ["answers", (row) => said(row).join(" | ")];
}
