// What ring groups and queues have in common: a number, a name, members, and the order in which they are rung.

import { queue } from "../../../src/nouns/queue.ts";
import type { Draft, Field } from "../../ui/field.ts";
import { choicesOf } from "../../ui/noun-form.ts";
import type { Column } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Place = { number: string; name: string; strategy: string; members: string[] };

/** The form has its fields. */
export function newPlace<Changes>(
  { number, name, members }: Draft,
  { name: _name, ...changes }: { name?: string } & Changes,
) {
  return { number: String(number), name: String(name), members: members as string[], changes };
}

export function changedPlace<Changes>({ number }: Pick<Place, "number">, { members, ...changes }: Draft) {
  return { number, changes: changes as Changes, ...(members ? { members: members as string[] } : {}) };
}

export const placeName = ({ number, name }: Place) => `${number} ${name}`;

export function usePlaceColumns(): Column<Place>[] {
  const words = useWords(texts);
  const { number, name } = useWords(general);
  const { language } = useLanguage();
  const strategies = new Map(choicesOf(queue.fields.strategy.among, language));
  return [
    { title: number, show: (place) => <strong>{place.number}</strong> },
    { title: name, show: (place) => place.name },
    { title: queue.fields.strategy.label[language], show: ({ strategy }) => strategies.get(strategy) ?? strategy },
    { title: words.members, show: ({ members }) => members.join(", ") || "—" },
  ];
}

/** The number first, and the members behind the order in which they are rung. */
export function usePlaceFields(
  { name, strategy, ...others }: Record<string, Field>,
  members: { about?: string; outside?: boolean } = {},
): Record<string, Field> {
  const words = useWords(texts);
  const { number } = useWords(general);
  return {
    number: { is: "text", label: number, longest: 8, required: true, fixed: true },
    ...(name && { name }),
    ...(strategy && { strategy }),
    members: { is: "members", label: words.members, ...members },
    ...others,
  };
}
