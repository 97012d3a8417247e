// What forms say: kinds of fields, and why an answer or a definition cannot be kept.

import type { AnswerProblem } from "../forms/answers.ts";
import type { DefinitionProblem, FieldKind } from "../forms/definition.ts";
import type { Language } from "../languages.ts";

export const kindWords: Record<FieldKind, Record<Language, string>> = {
  "short-text": { tr: "Kısa metin", en: "Short text" },
  "long-text": { tr: "Uzun metin", en: "Long text" },
  number: { tr: "Sayı", en: "Number" },
  date: { tr: "Tarih", en: "Date" },
  "one-of": { tr: "Listeden biri", en: "One of a list" },
  "several-of": { tr: "Listeden birkaçı", en: "Several of a list" },
  "yes-no": { tr: "Evet/hayır", en: "Yes or no" },
  phone: { tr: "Telefon numarası", en: "Phone number" },
};

export const yesNo: Record<Language, { yes: string; no: string }> = {
  tr: { yes: "Evet", no: "Hayır" },
  en: { yes: "Yes", no: "No" },
};

type Answering = {
  [Is in AnswerProblem["is"]]: (problem: Extract<AnswerProblem, { is: Is }>) => string;
};

const answering: Record<Language, Answering> = {
  tr: {
    required: () => "Bu alan boş bırakılamaz.",
    unreadable: () => "Bu metin saklanamaz.",
    "not-a-number": () => "Bir sayı yazın.",
    "not-a-date": () => "Geçerli bir tarih seçin.",
    "not-a-choice": () => "Listeden seçin.",
    "not-yes-or-no": () => "Evet ya da hayır seçin.",
    "not-a-phone": () => "3 ile 15 haneli bir telefon numarası yazın.",
    "no-such-field": () => "Formda böyle bir alan yok.",
    "too-long": ({ limit }) => `En fazla ${limit} karakter.`,
    "too-small": ({ limit }) => `En az ${limit} olmalı.`,
    "too-large": ({ limit }) => `En fazla ${limit} olmalı.`,
    "too-few": ({ limit }) => `En az ${limit} seçim yapın.`,
    "too-many": ({ limit }) => `En fazla ${limit} seçim yapın.`,
    "too-early": ({ limit }) => `${limit} tarihinden önce olamaz.`,
    "too-late": ({ limit }) => `${limit} tarihinden sonra olamaz.`,
  },
  en: {
    required: () => "This cannot be left empty.",
    unreadable: () => "This text cannot be kept.",
    "not-a-number": () => "Write a number.",
    "not-a-date": () => "Choose a date of the calendar.",
    "not-a-choice": () => "Choose from the list.",
    "not-yes-or-no": () => "Choose yes or no.",
    "not-a-phone": () => "Write a phone number of 3 to 15 digits.",
    "no-such-field": () => "The form has no such field.",
    "too-long": ({ limit }) => `At most ${limit} characters.`,
    "too-small": ({ limit }) => `At least ${limit}.`,
    "too-large": ({ limit }) => `At most ${limit}.`,
    "too-few": ({ limit }) => `Choose at least ${limit}.`,
    "too-many": ({ limit }) => `Choose at most ${limit}.`,
    "too-early": ({ limit }) => `Not before ${limit}.`,
    "too-late": ({ limit }) => `Not after ${limit}.`,
  },
};

export function answerProblemInWords(problem: AnswerProblem, language: Language): string {
  // The words are chosen by the very kind that their parameter narrows on.
  return (answering[language][problem.is] as (problem: AnswerProblem) => string)(problem);
}

const defining: Record<Language, Record<DefinitionProblem["why"], string>> = {
  tr: {
    "no-label": "Etiket boş bırakılamaz.",
    "same-label": "Bu etiket başka bir alanda var.",
    "no-choices": "En az bir seçenek yazın.",
    "same-choice": "Bir seçenek iki kez yazılmış.",
    "limits-reversed": "Alt sınır üst sınırdan büyük.",
    "limit-too-far": "Sınır bu alan için geçerli değil.",
    unwritable: "Bu metin saklanamaz.",
  },
  en: {
    "no-label": "The label cannot be empty.",
    "same-label": "Another field has this label.",
    "no-choices": "Write at least one choice.",
    "same-choice": "A choice stands there twice.",
    "limits-reversed": "The lower limit is above the upper one.",
    "limit-too-far": "This limit makes no sense for the field.",
    unwritable: "This text cannot be kept.",
  },
};

export function definitionProblemInWords({ why }: DefinitionProblem, language: Language): string {
  return defining[language][why];
}
