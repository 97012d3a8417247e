// Which filled forms somebody wants to see: the filters of the report, for the page and for the table to download.

import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { queuesCalled } from "../../../store/cdrs.ts";
import type { Db } from "../../../store/db.ts";
import type { FormFilter } from "../../../store/form-report.ts";
import { type Scope, withinOf } from "../../../store/scope.ts";
import { id, moment, text } from "./fields.ts";

const LONGEST_MS = 366 * 86_400_000;

export const formSearch = {
  from: moment(),
  before: moment(),
  /** Not filled in yet. */
  owed: Type.Optional(Type.Boolean()),
  form: Type.Optional(id()),
  extension: Type.Optional(text(8)),
  queue: Type.Optional(text()),
  about: Type.Optional(text(100)),
};

const FormSearch = Type.Object(formSearch);
export type FormSearch = Static<typeof FormSearch>;

export async function formFilterOf(
  { from, before, owed = false, form, extension, queue, about }: FormSearch,
  { db, exchangeId, scope }: { db: Db; exchangeId: number; scope: Scope },
): Promise<FormFilter> {
  const begins = new Date(from);
  return {
    from: begins,
    before: new Date(Math.min(Date.parse(before), begins.getTime() + LONGEST_MS)),
    filled: !owed,
    form,
    extension: extension || undefined,
    queues: queue ? await queuesCalled(db, exchangeId, queue) : undefined,
    about: about?.trim() || undefined,
    within: withinOf(scope),
  };
}

/** The same out of a query string. */
export function readFormSearch(query: URLSearchParams): FormSearch | undefined {
  const sent: Record<string, unknown> = Object.fromEntries([...query].filter(([, value]) => value !== ""));
  if (sent.owed !== undefined) sent.owed = sent.owed === "true";
  if (sent.form !== undefined) sent.form = Number(sent.form);
  return Check(FormSearch, sent) ? (sent as FormSearch) : undefined;
}
