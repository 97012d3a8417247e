// Forms about calls: what they ask, what was filled in, and the report about both.

import { type Static, Type } from "typebox";
import { checkAnswers } from "../../../forms/answers.ts";
import {
  definitionProblems,
  fieldKinds,
  LONGEST_CHOICE,
  LONGEST_HELP,
  LONGEST_LABEL,
  MOST_CHOICES,
  MOST_FIELDS,
  tidied,
  type WantedField,
} from "../../../forms/definition.ts";
import { hasRight } from "../../../nouns/role.ts";
import { fillCallForm, findCallForm } from "../../../store/call-forms.ts";
import { countChoices, reportForms } from "../../../store/form-report.ts";
import { createForm, deleteForm, findForm, formVersions, listForms, updateForm } from "../../../store/forms.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { seesExtension } from "../../../store/scope.ts";
import { operation } from "../operation/operation.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";
import { digits, id, lines, name, nothing, pageFields, text, uuid } from "./fields.ts";
import { formFilterOf, formSearch } from "./form-filter.ts";

const limit = Type.Union([Type.Number(), Type.Null()]);
const dayIfAny = Type.Union([text(10), Type.Null()]);

const fields = Type.Array(
  Type.Object({
    id: Type.Optional(Type.String({ pattern: "^f[0-9]{1,9}$" })),
    is: Type.Enum([...fieldKinds]),
    label: text(LONGEST_LABEL),
    help: lines(LONGEST_HELP),
    required: Type.Boolean(),
    choices: Type.Array(text(LONGEST_CHOICE), { maxItems: MOST_CHOICES }),
    least: limit,
    most: limit,
    earliest: dayIfAny,
    latest: dayIfAny,
  }),
  { minItems: 1, maxItems: MOST_FIELDS },
);

/** What is wrong with an answer is told at its field, and not here: only its size is bounded. */
const answers = Type.Record(
  Type.String({ pattern: "^f[0-9]{1,9}$" }),
  Type.Union([lines(10_000), Type.Number(), Type.Boolean(), Type.Array(text(LONGEST_CHOICE), { maxItems: 200 })]),
);

type Checked = { fields: WantedField[] } | Extract<ConsoleRefusal, { refused: "form-definition" }>;

function checkedFields(wanted: Static<typeof fields>): Checked {
  const tidy = wanted.map(tidied);
  const problems = definitionProblems(tidy);
  return problems.length > 0 ? { refused: "form-definition", problems } : { fields: tidy };
}

export const forms = {
  "forms.list": operation({
    right: "see-forms",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listForms(db, exchangeId),
  }),

  "forms.show": operation({
    right: "see-forms",
    reads: true,
    parameters: Type.Object({ id: id() }),
    handle: ({ id }, { db, exchangeId }) => formVersions(db, exchangeId, id),
  }),

  "forms.create": operation({
    right: "set-up",
    parameters: Type.Object({ name: name(LONGEST_LABEL), active: Type.Boolean(), fields }),
    async handle({ name, active, fields }, { db, exchangeId }) {
      const checked = checkedFields(fields);
      if ("refused" in checked) return checked;
      const made = await createForm(db, { exchangeId, name: name.trim() || name, active, fields: checked.fields });
      return isRefusal(made) ? made : { id: made };
    },
  }),

  "forms.update": operation({
    right: "set-up",
    parameters: Type.Object({
      id: id(),
      name: Type.Optional(name(LONGEST_LABEL)),
      active: Type.Optional(Type.Boolean()),
      fields: Type.Optional(fields),
    }),
    async former({ id, fields }, { db, exchangeId }) {
      const [last] = fields ? await formVersions(db, exchangeId, id) : [];
      return last && { fields: last.fields };
    },
    async handle({ id, name, active, fields }, { db, exchangeId }) {
      const checked = fields && checkedFields(fields);
      if (checked && "refused" in checked) return checked;
      return updateForm(db, { exchangeId, id, name, active, fields: checked?.fields });
    },
  }),

  "forms.delete": operation({
    right: "set-up",
    parameters: Type.Object({ id: id() }),
    handle: async ({ id }, { db, exchangeId }) => (await deleteForm(db, exchangeId, id)) ?? {},
  }),

  /** An agent his own; whoever leads them, everybody's. */
  "forms.fill": operation({
    right: "fill-forms",
    hides: ["answers"],
    longestBody: 2_000_000,
    parameters: Type.Object({ uuid: uuid(), extension: digits(1, 8), answers }),
    async handle({ uuid: sent, extension, answers }, { db, clock, exchangeId, staff, scope }) {
      const callUuid = sent.toLowerCase();
      const leads = hasRight(staff, "supervise") && seesExtension(scope, extension);
      if (staff.extension !== extension && !leads) return { refused: "not-your-role", needs: "supervise" } as const;
      const found = await findCallForm(db, { exchangeId, callUuid, extension });
      if (!found) return { refused: "not-found", what: "form", which: callUuid } as const;
      const checked = checkAnswers(found.fields, answers);
      if ("problems" in checked) return { refused: "form-answers", problems: checked.problems } as const;
      const at = new Date(clock.wall());
      await fillCallForm(db, { exchangeId, callUuid, extension, answers: checked.answers, by: staff.email, at });
      return {};
    },
  }),

  "reports.forms": operation({
    right: "see-reports",
    reads: true,
    parameters: Type.Object({ ...formSearch, ...pageFields }),
    async handle({ page, limit, ...wanted }, { db, exchangeId, scope }) {
      return reportForms(db, exchangeId, await formFilterOf(wanted, { db, exchangeId, scope }), { page, limit });
    },
  }),

  /** Of one form, whose choices stand together whatever version they were made in. */
  "reports.formChoices": operation({
    right: "see-reports",
    reads: true,
    parameters: Type.Object({ ...formSearch, form: id() }),
    async handle(wanted, { db, exchangeId, scope }) {
      const form = await findForm(db, exchangeId, wanted.form);
      if (!form) return { refused: "not-found", what: "form", which: String(wanted.form) } as const;
      const counted = form.fields.filter(({ is }) => is === "one-of" || is === "several-of" || is === "yes-no");
      const ids = counted.map(({ id }) => id);
      const counts = await countChoices(db, exchangeId, await formFilterOf(wanted, { db, exchangeId, scope }), ids);
      return counted.map(({ id, is, label, choices }) => ({
        id,
        is,
        label,
        choices: choicesWith(is === "yes-no" ? ["true", "false"] : choices, countsOf(counts, id)),
      }));
    },
  }),
};

const countsOf = (counts: Awaited<ReturnType<typeof countChoices>>, field: string) =>
  new Map(counts.filter((it) => it.field === field).map(({ choice, count }) => [choice, count]));

/** Those of the form first, also when nobody took them; then those of earlier versions. */
function choicesWith(choices: readonly string[], counts: ReadonlyMap<string, number>) {
  const former = [...counts.keys()].filter((choice) => !choices.includes(choice));
  return [...choices, ...former].map((choice) => ({ choice, count: counts.get(choice) ?? 0 }));
}
