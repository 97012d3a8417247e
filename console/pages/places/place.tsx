// What ring groups and queues have in common: a number, a name, members, and the order in which they are rung.

import type { Draft, Field } from "../../ui/field.ts";
import type { Column } from "../../ui/rows.tsx";
import { choicesIn, useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { strategies, texts } from "./texts.ts";

type Place = { number: string; name: string; strategy: string; members: string[] };

/** The form has its fields. */
export function newPlace<Changes>({ number, name, members, ...changes }: Draft) {
  return { number: String(number), name: String(name), members: members as string[], changes: changes as Changes };
}

export function changedPlace<Changes>({ number }: Pick<Place, "number">, { members, ...changes }: Draft) {
  return { number, changes: changes as Changes, ...(members ? { members: members as string[] } : {}) };
}

export const placeName = ({ number, name }: Place) => `${number} ${name}`;

export function usePlaceColumns(): Column<Place>[] {
  const words = useWords(texts);
  const { number, name } = useWords(general);
  const { language } = useLanguage();
  return [
    { title: number, show: (place) => <strong>{place.number}</strong> },
    { title: name, show: (place) => place.name },
    { title: words.strategy, show: ({ strategy }) => strategies[strategy]?.[language] ?? strategy },
    { title: words.members, show: ({ members }) => members.join(", ") || "—" },
  ];
}

export function usePlaceFields({ without = [] }: { without?: string[] } = {}) {
  const words = useWords(texts);
  const { number, name } = useWords(general);
  const { language } = useLanguage();
  const options = choicesIn(strategies, language).filter(([strategy]) => !without.includes(strategy));
  return {
    number: { is: "text", label: number, longest: 8, required: true, fixed: true },
    name: { is: "text", label: name, required: true },
    strategy: { is: "choice", label: words.strategy, options },
    members: { is: "members", label: words.members },
    ring_seconds: { is: "whole", label: words.ringSeconds, least: 5, most: 300 },
  } satisfies Record<string, Field>;
}
