// A noun's form in the language of the page.

import type { Noun, ShownName } from "../../src/nouns/field.ts";
import { useLanguage } from "../words/language.tsx";
import type { Field } from "./field.ts";
import { formOf } from "./noun-form.ts";

export function useNoun<N extends Noun>(noun: N): Record<ShownName<N>, Field> {
  return formOf(noun, useLanguage().language);
}
