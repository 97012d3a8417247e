// What a language must have words for, beside the operations: every kind of line, and whoever can have done it.

import type { Doer, FieldsOf, Told } from "../../store/audit-facts.ts";

export type ToldWords = { [Kind in Told]: (fields: FieldsOf<Kind>) => string };
export type DoerWords = Record<Doer["doer"], (who: string) => string>;
