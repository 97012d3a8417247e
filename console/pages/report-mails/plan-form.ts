// The form of a report by mail: which day it asks for depends on how often it goes out.

import { reportPlan } from "../../../src/nouns/report-plan.ts";
import type { Parameters } from "../../ask/ask.ts";
import { useSaving } from "../../ask/use-action.ts";
import type { Draft, Field } from "../../ui/field.ts";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage } from "../../words/language.tsx";

export type Filter = Parameters<"reportPlans.create">["filter"];

export function usePlanFields(): Record<keyof typeof reportPlan.fields, Field> {
  const fields = useNoun(reportPlan);
  return {
    ...fields,
    weekday: { ...fields.weekday, when: ({ every }) => every === "week" },
    month_day: { ...fields.month_day, when: ({ every }) => every === "month" },
  };
}

/** A new one, as far as the page knows it already. */
export function usePlanMaking(known: Draft, filter: Filter) {
  const { language } = useLanguage();
  const saving = useSaving("reportPlans.create", (draft: Draft) => ({
    ...{ name: String(draft.name), filter },
    changes: setIn(reportPlan, draft),
  }));
  return { ...saving, blank: { ...blankOf(reportPlan), language, ...known } };
}
